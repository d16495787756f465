import type { z } from 'zod'
import type { Cx } from './cx.ts'
import { Refusal } from './refusal.ts'

/**
 * A kind of work that outlives a request. `Args` is what a change must give to queue one; a row of the table is parsed
 * by the job's schema, because an older version of the program may have written it.
 */
export interface Job<Args = unknown> {
  readonly name: string
  readonly maxAttempts: number
  readonly run: (cx: Cx, stored: unknown) => Promise<void>
  /** Puts the world right after the job failed for good. */
  readonly gaveUp: (cx: Cx, stored: unknown, error: Error) => Promise<void>
  /** Exists for the type checker only. */
  readonly '~args'?: Args
}

interface JobOptions<Args> {
  maxAttempts: number
  gaveUp?: (cx: Cx, args: Args, error: Error) => Promise<void>
}

/**
 * A kill can repeat any line of `run`, so each is safe to run twice. Throwing means "again later"; a Refusal means
 * "never" and fails the job with its words, unless it says that others were in the way.
 */
export function defineJob<Schema extends z.ZodObject>(
  name: string,
  schema: Schema,
  run: (cx: Cx, args: z.output<Schema>) => Promise<void>,
  { maxAttempts, gaveUp }: JobOptions<z.output<Schema>>,
): Job<z.input<Schema>> {
  return {
    name,
    maxAttempts,
    async run(cx, stored) {
      const args = schema.safeParse(stored)
      if (!args.success) throw new Refusal('Internal', `the arguments of job ${name} cannot be read`)
      await run(cx, args.data)
    },
    async gaveUp(cx, stored, error) {
      const args = schema.safeParse(stored)
      if (args.success) await gaveUp?.(cx, args.data, error)
    },
  }
}

export const jobsByName = (jobs: readonly Job[]): Readonly<Record<string, Job>> =>
  Object.fromEntries(jobs.map((job) => [job.name, job]))
