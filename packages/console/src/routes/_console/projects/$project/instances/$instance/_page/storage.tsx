// @chunk instance-storage: of one tab, which the other tabs of an instance do not need.
import { instanceLimits } from '@gantry/api/compute/instance.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useChanged } from '#/data/live.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { nameColumn } from '#/kit/list/columns.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { DiskState } from '#/features/disks/DiskState.tsx'
import { diskLink } from '#/features/disks/links.ts'
import { type Disk } from '#/features/disks/queries.ts'
import { StopFirst } from '#/features/instances/page/StopFirst.tsx'
import { useDiskActions } from '#/features/instances/page/use-disk-actions.tsx'
import { exchangedWord, useHotPlug } from '#/features/instances/page/use-hot-plug.ts'
import { instanceDisks, instanceView } from '#/features/instances/queries.ts'
import { Button } from '#/ui/Button.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import type { Column } from '#/ui/data/column.ts'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { Size } from '#/ui/data/Figures.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { afterPaint, lazyPart } from '#/ui/lazy-part.tsx'
import { Table } from '#/ui/data/Table.tsx'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/_page/storage')({
  loader: ({ context, params: { project, instance } }) => context.prefetch(instanceDisks(project, instance)),
  staticData: { crumb: { label: 'Storage', to: '/projects/$project/instances/$instance/storage' } },
  component: Storage,
})

function Storage() {
  return <StorageTab {...Route.useParams()} />
}

const AttachDiskDialog = lazyPart(() => import('#/features/disks/AttachDiskDialog.tsx'), 'AttachDiskDialog')

const CdsCard = lazyPart(
  afterPaint(() => import('#/features/instances/hardware/CdsCard.tsx')),
  'CdsCard',
)

const CreateAttachedDisk = lazyPart(
  () => import('#/features/instances/page/CreateAttachedDisk.tsx'),
  'CreateAttachedDisk',
)

interface Props {
  project: string
  instance: string
}

const columnsIn = (project: string): Column<Disk>[] => [
  { ...nameColumn<Disk>(({ name }) => diskLink(project, name)), header: 'Disk', width: '36%' },
  { id: 'size', header: 'Size', align: 'right', width: '12%', cell: ({ size }) => <Size bytes={size} /> },
  {
    id: 'state',
    header: 'State',
    part: 'state',
    width: '22%',
    cell: (disk) => <DiskState disk={disk} />,
  },
  {
    id: 'created',
    header: 'Created',
    part: 'meta',
    rank: 'low',
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]

const idOf = ({ id }: Disk): string => id

/** An instance's boot disk and its other disks. */
function StorageTab({ project, instance: name }: Props) {
  const { data: instance } = useSuspenseQuery(instanceView(project, name))
  const { data: disks } = useSuspenseQuery(instanceDisks(project, name))
  const columns = useMemo(() => columnsIn(project), [project])
  const [open, setOpen] = useState<'attach' | 'create'>()
  const close = () => setOpen(undefined)
  const changed = useChanged()
  const isServed = useHasExtensions()
  const whyNotAllowed = useWhyNotInProject(project)
  const boot = disks.items.filter(({ id }) => id === instance.bootDiskId)
  const others = disks.items.filter(({ id }) => id !== instance.bootDiskId)
  const isFull = disks.items.length >= instanceLimits.disks
  const hotPlug = useHotPlug(project, instance, boot[0])
  const whyNotState = hotPlug.whyNotAttach
  const whyNotAttach =
    whyNotAllowed ??
    whyNotState ??
    (isFull ? `An instance has at most ${instanceLimits.disks} disks` : undefined)
  const actions = useDiskActions({ project, instance, hotPlug, hasBootDisk: boot.length > 0 })

  return (
    <div className="space-y-5">
      <Card title="Boot disk" description="The instance starts from this disk." flush>
        <Table
          inset
          label="Boot disk"
          columns={columns}
          rows={boot}
          rowKey={idOf}
          changedKeys={changed}
          actions={actions.boot}
          empty={<CardEmpty title="No boot disk set">{bootHint(others.length)}</CardEmpty>}
        />
      </Card>
      <Card
        title="Additional disks"
        description={
          hotPlug.isLive
            ? 'Disks are attached and detached at once, while the instance runs.'
            : whyNotState && 'Stop the instance to attach, create or detach disks.'
        }
        flush
        actions={
          <>
            {whyNotState && <StopFirst project={project} instance={instance} to="attach" />}
            <Button disabledReason={whyNotAttach} onClick={() => setOpen('attach')}>
              Attach existing disk
            </Button>
            <Button disabledReason={whyNotAttach} onClick={() => setOpen('create')}>
              Create disk
            </Button>
          </>
        }
        footer={`Up to ${instanceLimits.disks} disks per instance.`}
      >
        <Table
          inset
          label="Additional disks"
          columns={columns}
          rows={others}
          rowKey={idOf}
          changedKeys={changed}
          actions={actions.other}
          empty={<CardEmpty title="No other disks">Attach or create a disk to see it here.</CardEmpty>}
        />
      </Card>
      {isServed && <CdsCard project={project} instance={name} />}
      {open === 'attach' && (
        <AttachDiskDialog
          project={project}
          onAttach={({ name: disk }) => hotPlug.attach(disk)}
          saved={(disk) => successMessage('Disk', disk.name, exchangedWord(disk))}
          onClose={close}
        />
      )}
      {open === 'create' && (
        <CreateAttachedDisk
          project={project}
          instance={name}
          attach={hotPlug.attach}
          attachOp={hotPlug.attachOp}
          onClose={close}
        />
      )}
    </div>
  )
}

function bootHint(otherCount: number): string {
  if (otherCount === 0) return 'Attach a disk to set it as the boot disk.'
  if (otherCount === 1) return 'The instance will boot from its only disk.'
  return 'Set one of its disks as the boot disk, unless the boot order is managed inside the guest.'
}
