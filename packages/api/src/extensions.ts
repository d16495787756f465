import { z } from 'zod'
import {
  faultKinds,
  foundKinds,
  maxNamedIds,
  maxTopicProjects,
  positionPattern,
  searchMatches,
  searchMax,
  topics,
} from './extensions.rules.ts'
import { del, family, get, post } from './op.ts'
import { list, maybe, named, NameOrId, text, Timestamp, Uuid } from './schema.ts'

/** Why something failed or was refused: the same record in the API, on screen and in the log. */
export const FailureReason = named(
  'FailureReason',
  z.object({
    code: z.string(),
    message: z.string(),
    /** What to do about it. */
    next_step: z.string(),
    /** Numbers and objects involved, for example how many sleds did not fit, and why. */
    details: z.record(z.string(), z.unknown()).nullish(),
    time: Timestamp,
  }),
)
export type FailureReason = z.infer<typeof FailureReason>

/** A refusal reported inside a response: for one item among many, or for a hypothetical request. */
export const Refused = named(
  'Refused',
  z.object({
    code: z.string(),
    message: z.string(),
    /** What to do about it. */
    help: z.string(),
  }),
)
export type Refused = z.infer<typeof Refused>

/** One event of the change stream. */
export const ChangeEvent = named(
  'ChangeEvent',
  z.object({
    kind: z.string(),
    op: z.enum(['create', 'update', 'delete']),
    id: z.string(),
    name: z.string().nullable(),
    project_id: Uuid.nullable(),
    version: z.number().int(),
    time: Timestamp,
    /**
     * When many clients have to refetch: each waits a random time up to this many milliseconds, to spread the
     * requests.
     */
    spread_ms: z.number().int().optional(),
  }),
)
export type ChangeEvent = z.infer<typeof ChangeEvent>

const SearchHit = named(
  'SearchHit',
  z.object({
    kind: z.enum(foundKinds),
    id: Uuid,
    /** Of a sled and a physical disk, its serial number. */
    name: z.string(),
    /** Null for objects of the silo itself, and of the fleet. */
    project_name: z.string().nullable(),
    /** Of a subnet, the VPC that it is in; null for all others. */
    vpc_name: z.string().nullable(),
    /** What the text matched. */
    match: z.enum(searchMatches),
    /** The id, address or tag that matched; of a subnet, its block. */
    value: z.string().nullable(),
  }),
)
export type SearchHit = z.infer<typeof SearchHit>

const ObjectName = named(
  'ObjectName',
  z.object({
    id: Uuid,
    kind: z.string(),
    /** Of a sled, its serial number. */
    name: z.string(),
  }),
)
export type ObjectName = z.infer<typeof ObjectName>

export const Fault = named(
  'Fault',
  z.object({
    id: Uuid,
    kind: z.enum(faultKinds),
    instance_id: Uuid.nullish(),
    sled_id: Uuid.nullish(),
    time_created: Timestamp,
  }),
)
export type Fault = z.infer<typeof Fault>

export const extensionOps = {
  ...family('extensions', [], {
    changeStream: get('/ext/v1/changes', {
      summary: 'Stream changes to everything you may see, as server-sent events',
      query: z.object({
        /** Where to begin: the value of a response's `x-change-seq`, or of the id of an event. */
        since: maybe(text(32, 'not a position in the change stream').regex(positionPattern)),
        /** With a topic or a project, only its changes are sent, and the caller's own. */
        topic: maybe(list(z.enum(topics))),
        project: maybe(list(NameOrId, maxTopicProjects)),
      }),
      transport: 'event-stream',
    }),
    search: get('/ext/v1/search', {
      summary: 'Find objects by name, id, address, MAC address, serial number, tag or description',
      query: z.object({
        text: z.string().min(1).max(searchMax),
        limit: maybe(z.coerce.number().int().min(1).max(50)),
      }),
      returns: named('SearchHits', z.object({ items: z.array(SearchHit) })),
    }),
    objectNames: get('/ext/v1/names', {
      summary: 'Resolve ids that measurements carry to names, of the objects that you may see',
      query: z.object({ id: list(Uuid, maxNamedIds) }),
      returns: named('ObjectNames', z.object({ items: z.array(ObjectName) })),
    }),
  }),
  ...family('extensions', ['fault'], {
    faultList: get('/ext/v1/faults', {
      summary: 'List faults of the simulated rack',
      noScreen: { sentBy: 'tests and trials of the simulated rack' },
      returns: named('Faults', z.object({ items: z.array(Fault) })),
    }),
    faultInject: post('/ext/v1/faults', {
      summary: 'Make the simulated rack misbehave',
      noScreen: { sentBy: 'tests and trials of the simulated rack' },
      body: named(
        'FaultInject',
        z.object({ kind: z.enum(faultKinds), instance_id: maybe(Uuid), sled_id: maybe(Uuid) }),
      ),
      returns: Fault,
    }),
    faultRemove: del('/ext/v1/faults/{fault_id}', {
      summary: 'End a fault of the simulated rack',
      path: z.object({ fault_id: Uuid }),
    }),
  }),
}
