// @chunk list-export: what lists, the activity and the audit log save and copy, once a user asks for it.
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { exportFormats } from '#/kit/list/use-export.ts'
import { Button } from '#/ui/Button.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { MenuButton } from '#/ui/overlays/MenuButton.tsx'
import type { ActivityScope } from './queries.ts'
import type { ActivitySearch } from './search.ts'
import { useActivityExport } from './use-export.ts'

const OwnRequestsDialog = lazyPart(() => import('./OwnRequestsDialog.tsx'), 'OwnRequestsDialog')

interface Props {
  scope: ActivityScope
  search: ActivitySearch
  /** Lets the user select entries. */
  onPick: () => void
}

/** Saves everything that matches the filter, and shows what the user did of it as code. */
export function ExportMenu({ scope, search, onPick }: Props) {
  const { isReading, run } = useActivityExport(scope, search)
  const [isOwnOpen, setOwnOpen] = useState(false)
  const entries = () => [
    ...(['csv', 'jsonl'] as const).map((format) => ({
      label: exportFormats[format].label,
      onSelect: () => run(format),
    })),
    'rule' as const,
    { label: 'What you did, as a script…', onSelect: () => setOwnOpen(true) },
    { label: 'Select what you did…', onSelect: onPick },
  ]
  return (
    <>
      <MenuButton entries={entries} align="end" label="Export">
        {(trigger) => (
          <Button {...trigger} pending={isReading}>
            <Download aria-hidden strokeWidth={1.75} className="-ml-0.5 size-4" />
            Export
          </Button>
        )}
      </MenuButton>
      {isOwnOpen && <OwnRequestsDialog scope={scope} search={search} onClose={() => setOwnOpen(false)} />}
    </>
  )
}
