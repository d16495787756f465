import { backupContentsMax } from '@gantry/api/backups/backup-target.rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { Button } from '#/ui/Button.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import type { Column } from '#/ui/data/column.ts'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { Size } from '#/ui/data/Figures.tsx'
import { Table } from '#/ui/data/Table.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { contentsOf, type HeldBackup } from './queries.ts'

const AdoptDialog = lazyPart(() => import('./AdoptDialog.tsx'), 'AdoptDialog')

/** What a target holds, by what is written there: also backups that no project lists. */
export function Contents({ target }: { target: string }) {
  const [pages, setPages] = useState<readonly (string | undefined)[]>([undefined])
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isAdopting, setAdopting] = useState(false)
  const whyNotAllowed = useWhyNotOnFleet()
  const { data, error, refetch, isFetching } = useQuery(contentsOf(target, pages.at(-1)))
  const turn = (to: typeof pages) => {
    setSelected(new Set())
    setPages(to)
  }
  const problem = error && <SectionError failure={error} onRetry={() => void refetch()} />
  const next = data?.next ?? undefined
  return (
    <>
      <Card
        title="Contents"
        description="The backups that it holds, oldest first. Those of no project can be adopted into one."
        flush
        actions={
          <>
            <Button pending={isFetching && data !== undefined} onClick={() => void refetch()}>
              Read again
            </Button>
            <Button
              disabledReason={
                whyNotAllowed ?? (selected.size === 0 ? 'Select backups that no project lists' : undefined)
              }
              onClick={() => setAdopting(true)}
            >
              Adopt
            </Button>
          </>
        }
        {...((pages.length > 1 || next !== undefined) && {
          footer: (
            <div className="flex items-center gap-2">
              <span className="mr-auto">{`${backupContentsMax} backups per page`}</span>
              <Button
                disabledReason={pages.length === 1 ? 'This is the first page' : undefined}
                onClick={() => turn(pages.slice(0, -1))}
              >
                Previous
              </Button>
              <Button
                disabledReason={next === undefined ? 'This is the last page' : undefined}
                onClick={() => turn([...pages, next])}
              >
                Next
              </Button>
            </div>
          ),
        })}
      >
        <Table<HeldBackup>
          inset
          label="Contents"
          columns={columnsWith(selected, setSelected, whyNotAllowed)}
          rows={data?.items}
          rowKey={({ id }) => id}
          skeletonRows={2}
          {...(problem && { error: <div className="px-3.5 pb-3.5">{problem}</div> })}
          empty={<CardEmpty title="No backups">Nothing is written there yet.</CardEmpty>}
        />
      </Card>
      {isAdopting && (
        <AdoptDialog
          target={target}
          backups={[...selected]}
          onAdopted={() => setSelected(new Set())}
          onClose={() => setAdopting(false)}
        />
      )}
    </>
  )
}

const columnsWith = (
  selected: ReadonlySet<string>,
  onSelect: (ids: ReadonlySet<string>) => void,
  whyNotAllowed: string | undefined,
): Column<HeldBackup>[] => [
  {
    id: 'name',
    header: 'Backup',
    part: 'name',
    cell: ({ id, name, isKnown }) =>
      isKnown ? (
        <span className="font-medium text-strong">{name}</span>
      ) : (
        <Checkbox
          aria-label={`Select ${name}`}
          checked={selected.has(id)}
          disabled={whyNotAllowed !== undefined}
          onChange={({ target }) =>
            onSelect(new Set(target.checked ? [...selected, id] : [...selected].filter((one) => one !== id)))
          }
        >
          <span className="font-medium text-strong">{name}</span>
        </Checkbox>
      ),
  },
  {
    id: 'known',
    header: 'Listed',
    part: 'state',
    cell: ({ isKnown }) => <Tag>{isKnown ? 'In a project' : 'In no project'}</Tag>,
  },
  { id: 'instance', header: 'Instance', part: 'line', cell: ({ instanceName }) => instanceName },
  {
    id: 'from',
    header: 'Project then',
    part: 'meta',
    cell: ({ projectName, siloName }) => `${projectName}, silo ${siloName}`,
  },
  {
    id: 'disks',
    header: 'Disks',
    align: 'right',
    isLabelled: true,
    cell: ({ disks }) => <span className="tabular-nums">{disks}</span>,
  },
  { id: 'size', header: 'Size', align: 'right', cell: ({ size }) => <Size bytes={size} /> },
  {
    id: 'created',
    header: 'Created',
    part: 'meta',
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]
