import { z } from 'zod'
import { roleOrder } from '../base/roles.rules.ts'
import { named, Uuid } from '../schema.ts'
import { ActivityChange } from './activity.ts'
import { DeletionPlan } from './deletion.ts'

/** What a request would do; it is the answer to the request below `planPrefix`. */
export const ChangePlan = named(
  'ChangePlan',
  z.object({
    /** The objects that it touches, what it is about first. */
    changes: z.array(ActivityChange),
    change_count: z.number().int(),
    /** What the caller's silo uses more, or less. */
    quota: z.object({ cpus: z.number(), memory: z.number(), storage: z.number() }),
    /** What the silo uses before. */
    used: z.object({ cpus: z.number(), memory: z.number(), storage: z.number() }),
    /** Instances that change their state. */
    restarts: z.array(z.object({ id: Uuid, name: z.string(), from: z.string(), to: z.string() })),
    /** Users and groups whose roles change, directly. */
    people: z.array(
      z.object({
        type: z.enum(['silo_user', 'silo_group']),
        id: Uuid,
        /** Null for those of another silo, unless the reader may see that silo. */
        name: z.string().nullable(),
        before: z.array(z.string()),
        after: z.array(z.string()),
      }),
    ),
    /** Users whose strongest role there changes, directly, by a group, or because another one is left to them. */
    access: z.object({
      users: z.array(
        z.object({
          id: Uuid,
          /** Null for those of another silo, unless the reader may see that silo. */
          name: z.string().nullable(),
          before: z.enum(roleOrder).nullable(),
          after: z.enum(roleOrder).nullable(),
        }),
      ),
      /** How many there are; `users` has the first of them, those who lose all access before the others. */
      count: z.number().int(),
      /** How many members of groups and other users were looked at. */
      examined: z.number().int(),
    }),
    /** Packets of the VPC that it lets arrive or keeps from it, among those that were tried. */
    packets: z.object({
      tried: z.number().int(),
      changed: z.array(
        z.object({
          /** An instance; null is the internet. */
          from: z.object({ id: Uuid, name: z.string() }).nullable(),
          to: z.object({ id: Uuid, name: z.string() }).nullable(),
          /** `TCP 22`. */
          packet: z.string(),
          /** Whether it arrived before, and does after. */
          was: z.boolean(),
          is: z.boolean(),
        }),
      ),
    }),
    /** What a task would delete step by step that the request begins; null for any other request. */
    deletion: DeletionPlan.nullable(),
    /** Of all that matters: a request that names another one is refused. */
    hash: z.string(),
  }),
)
export type ChangePlan = z.infer<typeof ChangePlan>
