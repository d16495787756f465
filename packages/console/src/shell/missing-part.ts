import { live } from '../data/live.ts'
import { toast } from '../ui/toast.ts'

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
      title: 'A part of this page could not be fetched',
      text: 'The console may have been updated. Reload the page to go on; what you typed and did not save is lost then.',
    },
    null,
  )
}
