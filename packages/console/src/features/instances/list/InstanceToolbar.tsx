import { runStates } from '@gantry/api/compute/instance.rules'
import { useSyncExternalStore } from 'react'
import { FilterBar } from '#/kit/list/FilterBar.tsx'
import type { Selection } from '#/kit/list/selection.ts'
import { createStore, useStore } from '#/store.ts'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import type { Instance } from '../queries.ts'

const BulkBar = lazyPart(() => import('../bulk/BulkBar.tsx'), 'BulkBar')

interface Props {
  project: string
  selection: Selection
  rows: readonly Instance[]
  canFind: boolean
}

/** States of instances in a list. */
const states = runStates.filter((state) => state !== 'destroyed')

/** Filters, or actions for the selected rows in their place. */
export function InstanceToolbar({ project, selection, rows, canFind }: Props) {
  const ids = useSyncExternalStore(selection.subscribe, selection.ids)
  return (
    <div className="mb-3 min-h-control">
      {ids.length > 0 ? (
        <BulkBar project={project} selection={selection} rows={rows} />
      ) : (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {canFind && (
            <div className="min-w-0 grow max-md:basis-full">
              <FilterBar pluralNoun="instances" states={states} />
            </div>
          )}
          <CpuUseBox />
        </div>
      )}
    </div>
  )
}

const CpuUseBox = () => (
  <Checkbox checked={useIsCpuShown()} onChange={(event) => showCpuUse(event.target.checked)}>
    Show CPU use
  </Checkbox>
)

const key = 'gantry-instances-cpu-use'
/** Where storage is forbidden, the choice lasts until the page closes. */
const cpuUse = createStore(readChoice())

function readChoice(): boolean {
  try {
    return localStorage.getItem(key) === 'shown'
  } catch {
    return false
  }
}

function showCpuUse(wanted: boolean): void {
  cpuUse.set(wanted)
  try {
    if (wanted) localStorage.setItem(key, 'shown')
    else localStorage.removeItem(key)
  } catch {
    // As said above.
  }
}

/** Whether this browser's lists of instances show the column of CPU use. */
export const useIsCpuShown = (): boolean => useStore(cpuUse)
