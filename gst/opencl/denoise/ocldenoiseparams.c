/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocldenoiseparams.h"

#define OFFSET(member) G_STRUCT_OFFSET (OclDenoiseParams, member)

static const OclValue efforts[] = {
  {OCL_DENOISE_EFFORT_FAST, "fast",
      "A quarter of the blocks: they start at every fourth sample"},
  {OCL_DENOISE_EFFORT_NORMAL, "normal", "Blocks start at every second sample"},
  {OCL_DENOISE_EFFORT_BEST, "best",
      "As normal, with four earlier and four later frames, whatever history "
        "and lookahead say: four frames of latency"},
  {0, NULL, NULL},
};

static const OclValues effort_values = { "denoise-effort", efforts };

const OclParam ocl_denoise_params[] = {
  {"noise", "How strong the noise is: its standard deviation in levels of 8 "
        "bits, for all planes; -1 estimates it for each plane; 0 turns the "
        "filter off",
        OCL_PARAM_DOUBLE, OFFSET (noise),
      .minimum = -1.0,.maximum = 255.0,.default_value = -1.0},
  {"strength", "How much of the noise is removed: a factor of the threshold "
        "below which details count as noise; 0 turns the filter off",
        OCL_PARAM_DOUBLE, OFFSET (strength),
      .maximum = 10.0,.default_value = 1.0},
  {"chroma-strength", "Strength for the chroma planes; -1 takes strength",
        OCL_PARAM_DOUBLE, OFFSET (chroma_strength),
      .minimum = -1.0,.maximum = 10.0,.default_value = -1.0},
  {"curve", "Estimate the noise by brightness, because the noise of cameras "
        "depends on it; has no effect on chroma, nor if noise is given",
        OCL_PARAM_BOOLEAN, OFFSET (curve),
      .default_value = TRUE,.fixed = TRUE,.decides = TRUE},
  {"grain", "Part of the removed noise that is added back, so that the picture "
        "keeps some grain",
      OCL_PARAM_DOUBLE, OFFSET (grain),.maximum = 1.0},
  {"effort", "How much time is spent on a frame",
        OCL_PARAM_ENUM, OFFSET (effort),.values = &effort_values,
        .default_value = OCL_DENOISE_EFFORT_NORMAL,.fixed = TRUE,
      .decides = TRUE},
  {"history",
        "How many earlier frames are used; 0 filters each frame by itself, and "
        "without lookahead finds white noise only",
        OCL_PARAM_UINT, OFFSET (history),
        .maximum = OCL_MAX_HISTORY,.default_value = 2,.fixed = TRUE,
      .decides = TRUE},
  {"lookahead", "How many later frames are used. Each adds one frame of "
        "latency; 0 delays no frame",
        OCL_PARAM_UINT, OFFSET (lookahead),
      .maximum = OCL_MAX_LOOKAHEAD,.fixed = TRUE,.decides = TRUE},
  {"motion", "Search for blocks in other frames, so that moving things stay "
        "sharp",
        OCL_PARAM_BOOLEAN, OFFSET (motion),
      .default_value = TRUE,.fixed = TRUE},
  OCL_PLANES_PARAM (OclDenoiseParams, planes, OCL_PLANES_ALL),
  OCL_BORDER_PARAMS (OclDenoiseParams, border),
  {NULL},
};

OclNeighbours
ocl_denoise_params_get_neighbours (const OclDenoiseParams * params)
{
  const gboolean is_best = params->effort == OCL_DENOISE_EFFORT_BEST;
  const OclNeighbours neighbours = {
    is_best ? OCL_MAX_HISTORY : params->history,
    is_best ? OCL_MAX_LOOKAHEAD : params->lookahead
  };

  return neighbours;
}

guint
ocl_denoise_params_get_step (const OclDenoiseParams * params)
{
  return params->effort == OCL_DENOISE_EFFORT_FAST ? 4 : 2;
}
