#version 430
/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter of one grey plane as a compute shader: square window,
 * edges repeated. A group has its pixels and their neighbours in local memory.
 * RADIUS, SPATIAL_SIGMA and INTENSITY_SIGMA come before this. */

#define GROUP 16
#define TILE (GROUP + 2 * RADIUS)
#define SCALE(sigma) (-0.72134752 / ((sigma) * (sigma)))

layout(local_size_x = GROUP, local_size_y = GROUP) in;
layout(binding = 0) uniform sampler2D source;
layout(r8, binding = 0) writeonly uniform image2D target;

shared float tile[TILE * TILE];

void main() {
  ivec2 size = textureSize(source, 0);
  ivec2 corner = ivec2(gl_WorkGroupID.xy) * GROUP - RADIUS;

  for (int i = int(gl_LocalInvocationIndex); i < TILE * TILE;
      i += GROUP * GROUP) {
    ivec2 at = clamp(corner + ivec2(i % TILE, i / TILE), ivec2(0), size - 1);
    tile[i] = texelFetch(source, at, 0).r;
  }
  barrier();

  ivec2 own = ivec2(gl_LocalInvocationID.xy);
  float center = tile[(own.y + RADIUS) * TILE + own.x + RADIUS];
  float total = 0.0;
  float weights = 0.0;
  for (int j = -RADIUS; j <= RADIUS; j++) {
    for (int i = -RADIUS; i <= RADIUS; i++) {
      float value = tile[(own.y + RADIUS + j) * TILE + own.x + RADIUS + i];
      float difference = value - center;
      float weight = exp2(float(i * i + j * j) * SCALE(SPATIAL_SIGMA)
          + difference * difference * SCALE(INTENSITY_SIGMA));
      total += weight * value;
      weights += weight;
    }
  }
  if (all(lessThan(ivec2(gl_GlobalInvocationID.xy), size)))
    imageStore(target, ivec2(gl_GlobalInvocationID.xy),
        vec4(total / weights));
}
