import { entryHeader } from '@gantry/api/history/activity.rules'
import type { OpRef } from '@gantry/api/client/client'

/** The entry of activity of the last edit that this tab sent. */
let last: string | undefined

export function noteEntry({ method }: Pick<OpRef, 'method'>, headers: Headers): void {
  if (method === 'PUT') last = headers.get(entryHeader) ?? undefined
}

/** Taken once: each message of success offers its own. A form takes an earlier one away before it saves. */
export function takeEntry(): string | undefined {
  const entry = last
  last = undefined
  return entry
}
