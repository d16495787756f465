import { live } from '#/data/live.ts'
import { toast } from '#/ui/toast.ts'

let isReported = false

/**
 * After an update, the server may lack files that an open page needs. A reload would lose typed input, so the user
 * decides when.
 */
export function reportMissingPart(): void {
  // If the server is unreachable, another notice says so, and the file loads when it is back.
  if (isReported || live.state() === 'lost') return
  isReported = true
  toast.info(
    {
      title: 'Part of this page could not be loaded',
      text: 'The console may have been updated. Reload the page to continue. Unsaved input will be lost.',
    },
    null,
  )
}
