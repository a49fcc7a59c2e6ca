/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "picture.h"

#define N_DISCS 40
#define NOISE 12

typedef struct
{
  gint x;
  gint y;
  gint radius;
  guint8 color[3];
} Disc;

static void
scatter_discs (Disc * discs, gint width, gint height, GRand * random)
{
  for (gint i = 0; i < N_DISCS; i++) {
    discs[i].x = g_rand_int_range (random, 0, width);
    discs[i].y = g_rand_int_range (random, 0, height);
    discs[i].radius = height / 40 + g_rand_int_range (random, 0,
        height / 12 + 1);
    for (gint c = 0; c < 3; c++)
      discs[i].color[c] = g_rand_int_range (random, 0, 256);
  }
}

/* The uppermost disc at x, y, or NULL. */
static const Disc *
find_disc (const Disc * discs, gint x, gint y)
{
  for (gint i = N_DISCS - 1; i >= 0; i--) {
    gint dx = x - discs[i].x;
    gint dy = y - discs[i].y;

    if (dx * dx + dy * dy < discs[i].radius * discs[i].radius)
      return &discs[i];
  }
  return NULL;
}

guint8 *
picture_draw (gint width, gint height)
{
  guint8 *pixels = g_malloc ((gsize) width * height * 4);
  guint8 *pixel = pixels;
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  Disc discs[N_DISCS];

  scatter_discs (discs, width, height, random);
  for (gint y = 0; y < height; y++) {
    for (gint x = 0; x < width; x++, pixel += 4) {
      const Disc *disc = find_disc (discs, x, y);
      const gint gradient[3] = { x * 200 / width, y * 200 / height,
        (x + y) * 200 / (width + height)
      };

      for (gint c = 0; c < 3; c++) {
        gint level = disc ? disc->color[c] : gradient[c];
        gint noise = g_rand_int_range (random, -NOISE, NOISE + 1);

        pixel[c] = CLAMP (level + noise, 0, 255);
      }
      pixel[3] = 255;
    }
  }
  return pixels;
}
