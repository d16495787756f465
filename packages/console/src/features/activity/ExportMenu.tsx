// @chunk activity-log: of the accounts of all kinds of places, which no list or form needs.
import Download from 'lucide-react/icons/download'
import { exportFormats } from '#/kit/list/use-export.ts'
import { Button } from '#/ui/Button.tsx'
import { MenuButton } from '#/ui/overlays/MenuButton.tsx'
import type { ActivityScope } from './queries.ts'
import type { ActivitySearch } from './search.ts'
import { useActivityExport } from './use-export.ts'

/** Saves everything that matches the filter. */
export function ExportMenu({ scope, search }: { scope: ActivityScope; search: ActivitySearch }) {
  const { isReading, run } = useActivityExport(scope, search)
  const entries = () =>
    (['csv', 'jsonl'] as const).map((format) => ({
      label: exportFormats[format].label,
      onSelect: () => run(format),
    }))
  return (
    <MenuButton entries={entries} align="end" label="Export">
      {(trigger) => (
        <Button {...trigger} pending={isReading}>
          <Download aria-hidden strokeWidth={1.75} className="-ml-0.5 size-4" />
          Export
        </Button>
      )}
    </MenuButton>
  )
}
