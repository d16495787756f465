import type { NewRow } from '../db/tables.ts'
import type { Cx } from './cx.ts'

export function newJob(
  cx: Cx,
  kind: string,
  args: Record<string, unknown>,
  runAt: Date,
): NewRow<'job'> & { id: string } {
  return {
    id: cx.newId(),
    kind,
    args: JSON.stringify(args),
    state: 'pending',
    run_at: runAt,
    lease_until: null,
    failure: null,
    time_created: cx.now(),
    time_done: null,
  }
}
