/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter as one writes it first, for FFmpeg's program_opencl:
 * intensity mode, disc window, one weight a tap. The benchmark puts other values
 * into the defines. */

#define RADIUS 4
#define SPATIAL_SIGMA 2.0f
#define INTENSITY_SIGMA 0.25f

__constant sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE
    | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

__kernel void bilateral (__write_only image2d_t output, unsigned int index,
    __read_only image2d_t input)
{
  const float3 luma = (float3) (0.3f, 0.59f, 0.11f);
  int2 position = (int2) (get_global_id (0), get_global_id (1));
  float4 center = read_imagef (input, sampler, position);
  float4 sum = 0;

  for (int j = -RADIUS; j <= RADIUS; j++) {
    for (int i = -RADIUS; i <= RADIUS; i++) {
      int square = i * i + j * j;
      if (square > RADIUS * RADIUS)
        continue;
      float3 tap = read_imagef (input, sampler, position + (int2) (i, j)).xyz;
      float delta = dot (tap - center.xyz, luma);
      float weight = exp (-square / (2 * SPATIAL_SIGMA * SPATIAL_SIGMA)
          - delta * delta / (2 * INTENSITY_SIGMA * INTENSITY_SIGMA));
      sum += weight * (float4) (tap, 1);
    }
  }
  write_imagef (output, position,
      (float4) (sum.xyz / sum.w, center.w));
}
