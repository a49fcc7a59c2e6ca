/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A chain runs several operations on a frame, one after the other, without
 * giving the frame back between them. Neutral operations are left out. A chain
 * with one operation costs what the operation costs. */

#pragma once

#include "oclchainplan.h"

G_BEGIN_DECLS

typedef struct _OclChain OclChain;

/* Creates a chain for the operations of @links. Keeps a reference to @context.
 * Does not touch the device. May be called from any thread. */
OclChain *ocl_chain_new (const OclLinks * links, OclContext * context);

/* Calls ocl_operation_set_uses_database() for all operations. */
void ocl_chain_set_uses_database (OclChain * chain, gboolean uses);

/* Adds an owner. May be called from any thread. */
OclChain *ocl_chain_ref (OclChain * chain);

/* Removes an owner; the last one frees the chain, when no command may be in
 * flight. Waits for a build in progress. */
void ocl_chain_unref (OclChain * chain);

/* Replaces the chain in @*chain, which may be NULL, by a reference to
 * @other. */
void ocl_chain_set (OclChain ** chain, OclChain * other);

/* Returns the id of the OclLinks that the chain was made for. */
guint ocl_chain_get_id (OclChain * chain);

/* Returns the operation at place @n, which belongs to the chain. */
OclOperation *ocl_chain_get_operation (OclChain * chain, guint n);

/* The functions below may be called by one thread at a time. @links must have
 * the operations of the chain. They do what the functions of ocloperation.h of
 * these names do. */

OclChainPlan *ocl_chain_get_plan (OclChain * chain, const OclFrame * frame,
    const OclLinks * links, GError ** error);

gboolean ocl_chain_is_ready (OclChain * chain, const OclFrame * frame,
    const OclLinks * links);

GError *ocl_chain_take_warning (OclChain * chain);

void ocl_chain_forget (OclChain * chain);

/* Enqueues the steps of @plan for @run, whose parameters are those of @links.
 * The first operation may keep frames and look ahead, see
 * ocl_operation_enqueue(). The timer of @run counts each operation by
 * itself, see ocl_timer_begin_section(). */
gboolean ocl_chain_enqueue (OclChain * chain, const OclChainPlan * plan,
    const OclLinks * links, const OclRun * run, GError ** error);

G_END_DECLS
