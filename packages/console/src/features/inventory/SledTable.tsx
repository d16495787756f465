import { useChanged } from '#/data/live.ts'
import { rowMenu } from '#/features/common/row-menu.tsx'
import { EmptyState } from '#/ui/EmptyState.tsx'
import { GroupHeads } from '#/ui/GroupHeads.tsx'
import { Table } from '#/ui/Table.tsx'
import type { SledUse } from './queries.ts'
import { sledColumns, sledGroups } from './sled-columns.tsx'
import { useSledActions } from './use-sled-actions.tsx'

/** All sleds of the fleet with their load, including expunged ones. */
export function SledTable({ uses }: { uses: readonly SledUse[] }) {
  const { actions, dialog } = useSledActions()
  return (
    <>
      <Table
        tight
        label="Sleds"
        columns={sledColumns}
        groups={<GroupHeads spans={sledGroups} />}
        rows={uses}
        rowKey={idOf}
        changedKeys={useChanged()}
        empty={<EmptyState title="No sleds found" />}
        actions={({ sled, drainId }) =>
          rowMenu(sled.id, 'Copy ID', actions({ sled, isDraining: drainId !== null }))
        }
      />
      {dialog}
    </>
  )
}

const idOf = ({ sled }: SledUse): string => sled.id
