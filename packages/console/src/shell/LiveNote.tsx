import Unplug from 'lucide-react/icons/unplug'
import { Tooltip } from '#/ui/overlays/Tooltip.tsx'

/** A quiet notice that the page may be out of date. */
export function LiveNote() {
  return (
    <Tooltip content="The connection to the server is lost. This page may be out of date until it reconnects.">
      <button
        type="button"
        className="flex h-8 items-center gap-1.5 rounded-control px-2 text-sm text-busy-text max-md:size-11 max-md:justify-center max-md:p-0"
      >
        <Unplug aria-hidden className="size-4" />
        <span className="max-md:sr-only">Reconnecting</span>
      </button>
    </Tooltip>
  )
}
