import { live } from '#/data/live.ts'
import { toast } from '#/ui/toast.ts'

let isTold = false

/**
 * After an update the server no longer has the parts that an open page asks for. To reload the page loses what is
 * typed in it, so that is left to whoever typed it.
 */
export function tellMissing(): void {
  // Of a server that is away another note tells, and what was asked for comes when it is back.
  if (isTold || live.state() === 'lost') return
  isTold = true
  toast.info(
    {
      title: 'Part of this page could not be loaded',
      text: 'The console may have been updated. Reload the page to continue. Unsaved input will be lost.',
    },
    null,
  )
}
