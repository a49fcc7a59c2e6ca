/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Measures the limits of a device: each kernel keeps one part of the device as
 * busy as possible.
 *
 * Build with -D VECTOR=float4, or the native vector width of the device, and -D
 * GROUP=64, the work-items of a group, a power of 2. Each work-item computes
 * CHAINS independent results. The results do not matter. The code is written so
 * that no compiler eliminates the computation. */

#ifndef VECTOR
#define VECTOR float4
#endif

#ifndef GROUP
#define GROUP 64
#endif

/* Some compilers do not fuse a mad, and without a fused multiply-add in
 * hardware fma is slow. Some runtimes do not define the standard macro
 * FP_FAST_FMAF. clang defines the other macros. */
#if defined (FP_FAST_FMAF) || defined (__FMA__) \
    || defined (__ARM_FEATURE_FMA)
#define MULTIPLY_ADD fma
#else
#define MULTIPLY_ADD mad
#endif

#define CHAINS 12
#define STEPS 8

void
store_sum (global VECTOR *out, const VECTOR *value)
{
  VECTOR sum = 0.0f;

#pragma unroll
  for (int i = 0; i < CHAINS; i++)
    sum += value[i];
  out[get_global_id (0)] = sum;
}

/* Evaluates `expression` of `x` CHAINS * STEPS times in each of `rounds`
 * rounds. */
#define REPEAT(expression) \
  VECTOR value[CHAINS]; \
  for (int i = 0; i < CHAINS; i++) \
    value[i] = (VECTOR) ((get_global_id (0) + i) * 1e-3f); \
  for (int n = 0; n < rounds; n++) { \
    _Pragma ("unroll") \
    for (int step = 0; step < STEPS; step++) { \
      _Pragma ("unroll") \
      for (int i = 0; i < CHAINS; i++) { \
        VECTOR x = value[i]; \
        value[i] = expression; \
      } \
    } \
  } \
  store_sum (out, value)

/* `factor` is less than 1, so that numbers stay ordinary numbers. */
kernel void
limit_fma (global VECTOR *out, int rounds, float factor)
{
  REPEAT (MULTIPLY_ADD (x, (VECTOR) factor, (VECTOR) factor));
}

/* Alternates multiplications and additions, for devices that have units for
 * both. */
kernel void
limit_arithmetic (global VECTOR *out, int rounds, float factor)
{
  REPEAT ((i + step) % 2 ? x + (VECTOR) factor
      : MULTIPLY_ADD (x, (VECTOR) factor, (VECTOR) factor));
}

/* Precise exponentials, and native ones of the device's fastest precision. */
#define DEFINE_EXPONENTIAL(name, function) \
kernel void \
name (global VECTOR *out, int rounds) \
{ \
  REPEAT (function (-x)); \
}

DEFINE_EXPONENTIAL (limit_exp, exp)
DEFINE_EXPONENTIAL (limit_exp2, exp2)
DEFINE_EXPONENTIAL (limit_native_exp, native_exp)
DEFINE_EXPONENTIAL (limit_native_exp2, native_exp2)

/* Reads CHAINS * STEPS vectors of `in` in each of `rounds` rounds. `in` has
 * CHAINS * GROUP vectors. Consecutive work-items read consecutive vectors. */
#define READ_AND_ADD(in) \
  VECTOR sum[CHAINS]; \
  for (int i = 0; i < CHAINS; i++) \
    sum[i] = (VECTOR) 0.0f; \
  for (int n = 0; n < rounds; n++) { \
    _Pragma ("unroll") \
    for (int step = 0; step < STEPS; step++) { \
      int first = (get_local_id (0) + n + step) % GROUP; \
      _Pragma ("unroll") \
      for (int i = 0; i < CHAINS; i++) \
        sum[i] += (in)[first + i * GROUP]; \
    } \
  } \
  store_sum (out, sum)

kernel void
limit_local (global VECTOR *out, int rounds)
{
  local VECTOR tile[CHAINS * GROUP];

  for (int i = 0; i < CHAINS; i++)
    tile[get_local_id (0) + i * GROUP] = (VECTOR) (i * 1e-3f);
  barrier (CLK_LOCAL_MEM_FENCE);
  READ_AND_ADD (tile);
}

/* All groups read the same few vectors, which stay in the nearest cache. */
kernel void
limit_cache (global VECTOR *out, int rounds, global const VECTOR *in)
{
  READ_AND_ADD (in);
}

/* Each work-item reads and writes one vector. The copies differ in how many
 * floats a vector has. */
#define DEFINE_COPY(name, TYPE) \
kernel void \
name (global TYPE *out, global const TYPE *in) \
{ \
  out[get_global_id (0)] = in[get_global_id (0)]; \
}

DEFINE_COPY (limit_global, VECTOR)
DEFINE_COPY (limit_copy_1, float)
DEFINE_COPY (limit_copy_4, float4)
DEFINE_COPY (limit_copy_16, float16)

/* Each work-item copies a pixel. A device without images runs nothing. */
#ifdef __IMAGE_SUPPORT__
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE
    | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void
limit_image (write_only image2d_t out, read_only image2d_t in)
{
  int2 place = (int2) (get_global_id (0), get_global_id (1));

  write_imagef (out, place, read_imagef (in, nearest, place));
}
#else
kernel void
limit_image (global float *out, global const float *in)
{
}
#endif

kernel void
limit_nothing (global float *out)
{
}

/* Adds to CHAINS * STEPS counters in each of `rounds` rounds. At any time, all
 * work-items add to different counters. */
#define COUNT(add, counters) \
  for (int n = 0; n < rounds; n++) { \
    _Pragma ("unroll") \
    for (int step = 0; step < STEPS; step++) { \
      int first = (get_local_id (0) + n + step) % GROUP; \
      _Pragma ("unroll") \
      for (int i = 0; i < CHAINS; i++) \
        add ((counters)[first + i * GROUP]); \
    } \
  }

#define ADD(counter) (counter)++
#define ATOMIC_ADD(counter) atomic_inc (&(counter))

kernel void
limit_atomic (global VECTOR *out, int rounds)
{
  local uint counters[CHAINS * GROUP];
  uint sum = 0;

  for (int i = 0; i < CHAINS; i++)
    counters[get_local_id (0) + i * GROUP] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  COUNT (ATOMIC_ADD, counters);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < CHAINS; i++)
    sum += counters[get_local_id (0) + i * GROUP];
  out[get_global_id (0)] = (VECTOR) (float) sum;
}

/* Each work-item has its own counters. */
kernel void
limit_counter (global VECTOR *out, int rounds)
{
  uint counters[CHAINS * GROUP];
  uint sum = 0;

  for (int i = 0; i < CHAINS * GROUP; i++)
    counters[i] = 0;
  COUNT (ADD, counters);
  for (int i = 0; i < CHAINS * GROUP; i++)
    sum += counters[i];
  out[get_global_id (0)] = (VECTOR) (float) sum;
}
