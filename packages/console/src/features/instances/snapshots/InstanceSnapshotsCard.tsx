import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useChanged } from '#/data/live.ts'
import { taggedName } from '#/features/tags/tagged-name.tsx'
import { createdColumn, nameColumn, sizeColumn } from '#/kit/list/columns.tsx'
import { rowMenu } from '#/kit/list/row-menu.tsx'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import type { Column } from '#/ui/data/column.ts'
import { Table } from '#/ui/data/Table.tsx'
import { instanceSnapshotLink } from './links.ts'
import { holdsColumn, stateColumn, useInstanceSnapshotActions } from './parts.tsx'
import { type InstanceSnapshot, instanceSnapshotsIn } from './queries.ts'

interface Props {
  project: string
  /** By its id. */
  instance: string
  button?: ReactNode
}

/** The snapshots of a whole instance, with what can be done with them. */
export function InstanceSnapshotsCard({ project, instance, button }: Props) {
  const { data, error, refetch } = useQuery({
    ...instanceSnapshotsIn(project, instance),
    refetchInterval: ({ state }) => state.data?.some((one) => one.state === 'creating') && 1000,
  })
  const changed = useChanged()
  const columns = useMemo((): Column<InstanceSnapshot>[] => {
    const name = nameColumn<InstanceSnapshot>((one) => instanceSnapshotLink(project, one.name))
    return [
      taggedName('instance-snapshot', name, project),
      stateColumn,
      holdsColumn,
      sizeColumn(),
      createdColumn(),
    ]
  }, [project])
  const { actions, dialog } = useInstanceSnapshotActions(project)
  const problem = error && !data && <SectionError failure={error} onRetry={() => void refetch()} />
  return (
    <>
      <Card
        title="Instance snapshots"
        description="All disks of the instance at one point in time, with its settings."
        flush
        actions={button}
      >
        <Table<InstanceSnapshot>
          inset
          label="Instance snapshots"
          columns={columns}
          rows={data}
          rowKey={({ id }) => id}
          changedKeys={changed}
          skeletonRows={1}
          actions={(snapshot) => rowMenu(snapshot.id, 'Copy ID', actions(snapshot))}
          {...(problem && { error: <div className="px-3.5 pb-3.5">{problem}</div> })}
          empty={<CardEmpty title="No instance snapshots">Take one to be able to return to it.</CardEmpty>}
        />
      </Card>
      {dialog}
    </>
  )
}
