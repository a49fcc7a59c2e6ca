/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a device can do at most, to compare other kernels with: each of these
 * keeps one part of it busy. Work-items are one-dimensional. What is computed
 * does not matter, and is written only for a value that never comes, which no
 * compiler knows. */

/* Chains that do not wait for one another, and steps of each in a round. */
#define CHAINS 8
#define STEPS 16

/* Of local memory, in float4: 8 KiB. */
#define LOCAL_SIZE 512

/* rounds * CHAINS * STEPS exponentials a work-item. */
kernel void
limit_exp2 (global float *out, int rounds)
{
  float value[CHAINS];
  float sum = 0.0f;

#pragma unroll
  for (int i = 0; i < CHAINS; i++)
    value[i] = (get_global_id (0) + i) * 1e-9f;
  for (int n = 0; n < rounds; n++) {
#pragma unroll
    for (int step = 0; step < STEPS; step++) {
#pragma unroll
      for (int i = 0; i < CHAINS; i++)
        value[i] = native_exp2 (-value[i]);
    }
  }
#pragma unroll
  for (int i = 0; i < CHAINS; i++)
    sum += value[i];
  if (sum == 12345.0f)
    out[0] = sum;
}

/* rounds * CHAINS * STEPS fused multiply-adds a work-item. */
kernel void
limit_fma (global float *out, int rounds)
{
  float value[CHAINS];
  float sum = 0.0f;
  float factor = 1.0f - 1e-6f * rounds;

#pragma unroll
  for (int i = 0; i < CHAINS; i++)
    value[i] = (get_global_id (0) + i) * 1e-9f;
  for (int n = 0; n < rounds; n++) {
#pragma unroll
    for (int step = 0; step < STEPS; step++) {
#pragma unroll
      for (int i = 0; i < CHAINS; i++)
        value[i] = mad (value[i], factor, factor);
    }
  }
#pragma unroll
  for (int i = 0; i < CHAINS; i++)
    sum += value[i];
  if (sum == 12345.0f)
    out[0] = sum;
}

/* rounds * STEPS reads of a float4 from local memory a work-item, consecutive
 * ones by consecutive work-items. */
kernel void
limit_local (global float *out, int rounds)
{
  local float4 tile[LOCAL_SIZE];
  int item = get_local_id (0);
  float4 sum = 0.0f;

  for (int i = item; i < LOCAL_SIZE; i += get_local_size (0))
    tile[i] = (float4) (i * 1e-9f);
  barrier (CLK_LOCAL_MEM_FENCE);

  for (int n = 0; n < rounds; n++) {
#pragma unroll
    for (int step = 0; step < STEPS; step++)
      sum += tile[(item + n + step * 16) % LOCAL_SIZE];
  }
  if (sum.x + sum.y + sum.z + sum.w == 12345.0f)
    out[0] = sum.x;
}

/* Reads and writes 16 bytes a work-item. */
kernel void
limit_global (global const float4 *in, global float4 *out)
{
  int i = get_global_id (0);

  out[i] = in[i];
}
