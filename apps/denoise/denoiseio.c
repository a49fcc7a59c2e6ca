/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoiseio.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libavformat/avformat.h>

#define BLOCK_BYTES (256 * 1024)

/* The bytes to write are const from FFmpeg 7 on. */
#if LIBAVFORMAT_VERSION_MAJOR >= 61
typedef const uint8_t Written;
#else
typedef uint8_t Written;
#endif

static int
read_block (void *opaque, uint8_t * data, int size)
{
  ssize_t n;

  do {
    n = read (GPOINTER_TO_INT (opaque), data, size);
  } while (n < 0 && errno == EINTR);
  return n < 0 ? AVERROR (errno) : n == 0 ? AVERROR_EOF : (int) n;
}

static int
write_block (void *opaque, Written * data, int size)
{
  int written = 0;

  while (written < size) {
    const ssize_t n =
        write (GPOINTER_TO_INT (opaque), data + written, size - written);

    if (n < 0 && errno != EINTR)
      return AVERROR (errno);
    written += MAX (n, 0);
  }
  return size;
}

static int64_t
seek (void *opaque, int64_t offset, int whence)
{
  const gint fd = GPOINTER_TO_INT (opaque);
  struct stat status;

  if (whence & AVSEEK_SIZE)
    return fstat (fd, &status) == 0 ? status.st_size : AVERROR (errno);
  const off_t place = lseek (fd, offset, whence & ~AVSEEK_FORCE);
  return place < 0 ? AVERROR (errno) : place;
}

AVIOContext *
denoise_io_new (gint fd, gboolean writes, gboolean is_pipe)
{
  uint8_t *block = av_malloc (BLOCK_BYTES);
  AVIOContext *io = NULL;

  if (block)
    io = avio_alloc_context (block, BLOCK_BYTES, writes, GINT_TO_POINTER (fd),
        read_block, write_block, is_pipe ? NULL : seek);
  if (!io)
    av_free (block);
  else if (!is_pipe && lseek (fd, 0, SEEK_SET) < 0)
    io->error = AVERROR (errno);
  return io;
}

void
denoise_io_free (AVIOContext ** io)
{
  if (*io)
    av_freep (&(*io)->buffer);
  avio_context_free (io);
}
