import { z } from 'zod'
import { del, family, get, put } from '../op.ts'
import { IdPaging, idSorts, maybe, named, NameOrId, pageOf, text, Timestamp, Uuid } from '../schema.ts'
import { isReason, protectedKinds, protectionReasonMax } from './protection.rules.ts'

const ProtectedKind = named('ProtectedKind', z.enum(protectedKinds))

const Protection = named(
  'Protection',
  z.object({
    /** Of the protected object. */
    id: Uuid,
    kind: ProtectedKind,
    no_delete: z.boolean(),
    /** An instance is neither stopped nor forced off; a reboot is allowed. */
    no_stop: z.boolean(),
    reason: z.string(),
    /** Null for an operator of another silo, unless the reader may see that silo, and for a user long deleted. */
    set_by: z.object({ id: Uuid, name: z.string() }).nullable(),
    time_set: Timestamp,
  }),
)
export type Protection = z.infer<typeof Protection>

const ProtectionUpdate = named(
  'ProtectionUpdate',
  z.object({
    no_delete: z.boolean(),
    no_stop: z.boolean(),
    reason: text(protectionReasonMax).refine(isReason, 'a protection needs a reason'),
  }),
)
export type ProtectionUpdate = z.infer<typeof ProtectionUpdate>

const object = {
  path: z.object({ object_id: Uuid }),
  query: z.object({ kind: ProtectedKind }),
}

export const protectionOps = family('extensions', ['protection', ...protectedKinds], {
  protectionList: get('/ext/v1/protections', {
    summary: "List what is protected in a project, or the protected projects and images of the caller's silo",
    query: IdPaging.extend({ project: maybe(NameOrId) }),
    sorts: idSorts,
    returns: pageOf('Protection', Protection),
    reads: ['protection'],
  }),
  protectionUpdate: put('/ext/v1/protections/{object_id}', {
    summary: 'Protect an object, or change its protection',
    ...object,
    body: ProtectionUpdate,
    returns: Protection,
  }),
  protectionRemove: del('/ext/v1/protections/{object_id}', {
    summary: 'Take the protection off an object',
    ...object,
  }),
})
