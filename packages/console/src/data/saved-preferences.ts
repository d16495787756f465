import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { call } from './client.ts'
import { asFailure } from './failure.ts'
import { keepCopy, type ListPreference, preferences, untouched } from './list-preferences.ts'
import { opQuery } from './queries.ts'

type Saved = OutputOf<'listPreferenceList'>

/** What the server keeps of the user's preferences, which the copy in this browser follows. */
export const savedPreferences = {
  ...opQuery(op.listPreferenceList, {}),
  staleTime: 60_000,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Saved> => {
    for (;;) {
      const before = sends
      const { data } = await call(op.listPreferenceList, {}, { signal })
      // An answer from before the latest change would take it back for a moment.
      if (before !== sends) continue
      takeSaved(data)
      return data
    }
  },
}

/** Brings the copy up to date, but for what is still to be sent. */
export function takeSaved(saved: Saved | undefined): void {
  if (!saved) return
  const { user, unsent } = preferences.get()
  const lists: Record<string, ListPreference> = {}
  for (const { list, ...preference } of saved.items) lists[list] = preference
  for (const [list, change] of Object.entries(unsent))
    lists[list] = { ...untouched, ...lists[list], ...change }
  keepCopy({ user, lists, unsent })
  sendSoon()
}

/** A drag or a held key makes many changes, which are sent together. */
const pauseMs = 500
let timer: ReturnType<typeof setTimeout> | undefined
let isSending = false
let sends = 0

/** Changes what is given, at once in this browser and soon on the server. */
export function changeListPreference(list: string, change: Partial<ListPreference>): void {
  const { user, lists, unsent } = preferences.get()
  keepCopy({
    user,
    lists: { ...lists, [list]: { ...untouched, ...lists[list], ...change } },
    unsent: { ...unsent, [list]: { ...unsent[list], ...change } },
  })
  sendSoon()
}

function sendSoon(): void {
  clearTimeout(timer)
  if (Object.keys(preferences.get().unsent).length > 0) timer = setTimeout(() => void send(), pauseMs)
}

/** Sends what is unsent. What fails for a while is sent with the next change or page. */
async function send(): Promise<void> {
  if (isSending) return sendSoon()
  isSending = true
  try {
    for (const [list, body] of Object.entries(preferences.get().unsent)) {
      const sharedViews = body.sharedViews?.map(({ id, isPinned, isDefault }) => ({
        id,
        isPinned,
        isDefault,
      }))
      const change = { ...body, ...(sharedViews && { sharedViews }) }
      const isOver = await call(op.listPreferenceUpdate, { path: { list }, body: change }).then(
        () => true,
        // A refusal will not change; everything else may.
        (error: unknown) => asFailure(error).statusCode === 400,
      )
      if (!isOver) return
      sends++
      const { unsent, ...copy } = preferences.get()
      const { [list]: sent, ...others } = unsent
      // A change since then is another one.
      keepCopy({ ...copy, unsent: sent === body ? others : unsent })
    }
  } finally {
    isSending = false
  }
}
