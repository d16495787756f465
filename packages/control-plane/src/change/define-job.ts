import type { z } from 'zod'
import type { Cx } from '../context/cx.ts'
import { Refusal } from '../context/refusal.ts'

/**
 * A kind of work that outlives a request. `Args` is what a change must supply to queue one; a stored row is
 * parsed by the job's schema, because an older version of the program may have written it.
 */
export interface Job<Args = unknown> {
  readonly name: string
  readonly maxAttempts: number
  /** Reads or copies whole disks, which may take hours: it never keeps other kinds of work waiting. */
  readonly isLong: boolean
  readonly run: (cx: Cx, stored: unknown) => Promise<Repeat | undefined>
  /** Cleans up after the job has failed permanently. */
  readonly gaveUp: (cx: Cx, stored: unknown, error: Error) => Promise<void>
  /** Exists for the type checker only. */
  readonly '~args'?: Args
}

/** A successful run that must be repeated later. */
export interface Repeat {
  inMs: number
}
export const repeatIn = (inMs: number): Repeat => ({ inMs })

interface JobOptions<Args> {
  maxAttempts: number
  isLong?: boolean
  gaveUp?: (cx: Cx, args: Args, error: Error) => Promise<void>
}

/**
 * A crash can repeat any line of `run`, so each must be idempotent. Throwing retries later, up to `maxAttempts`; a
 * Refusal fails the job at once with its message, unless it is a `ServiceNotAvailable`. What the stop of the process ended
 * counts as no attempt. A job that waits for something returns `repeatIn`.
 */
export function defineJob<Schema extends z.ZodObject>(
  name: string,
  schema: Schema,
  run: (cx: Cx, args: z.output<Schema>) => Promise<Repeat | undefined | void>,
  { maxAttempts, isLong = false, gaveUp }: JobOptions<z.output<Schema>>,
): Job<z.input<Schema>> {
  return {
    name,
    maxAttempts,
    isLong,
    async run(cx, stored) {
      const args = schema.safeParse(stored)
      if (!args.success) throw new Refusal('Internal', `the arguments of job ${name} cannot be read`)
      return (await run(cx, args.data)) ?? undefined
    },
    async gaveUp(cx, stored, error) {
      const args = schema.safeParse(stored)
      if (args.success) await gaveUp?.(cx, args.data, error)
    },
  }
}

export const jobsByName = (jobs: readonly Job[]): Readonly<Record<string, Job>> =>
  Object.fromEntries(jobs.map((job) => [job.name, job]))
