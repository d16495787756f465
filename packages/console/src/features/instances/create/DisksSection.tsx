import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { Button } from '#/ui/Button.tsx'
import { Size } from '#/ui/data/Figures.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { MiniTable } from '#/ui/data/MiniTable.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { Truncate } from '#/ui/data/Truncate.tsx'
import { useFormField } from '#/kit/forms/fields.tsx'
import { allDisks } from '#/features/disks/queries.ts'
import { FormSection } from './FormSection.tsx'
import { Lockable } from './template/Lockable.tsx'
import { takenDiskNames, whyNoMoreDisks } from './problems.ts'
import { type InstanceValues, type QueuedDisk, queuedName, queuedSize } from './values.ts'

const DiskForm = lazyPart(() => import('#/features/disks/DiskForm.tsx'), 'DiskForm')
const AttachDiskDialog = lazyPart(() => import('#/features/disks/AttachDiskDialog.tsx'), 'AttachDiskDialog')

const columns = [
  { header: 'Name', cell: (disk: QueuedDisk) => <Truncate text={queuedName(disk)} max={35} /> },
  { header: 'Type', cell: ({ type }: QueuedDisk) => <Tag>{type}</Tag> },
  { header: 'Size', cell: (disk: QueuedDisk) => <Size bytes={queuedSize(disk)} /> },
]

/** Disks of the new instance. None is created or attached before the form is sent. */
export function DisksSection({ project }: { project: string }) {
  const { data: existing } = useSuspenseQuery(allDisks(project))
  const { value: disks, onChange } = useFormField<QueuedDisk[]>('disks')
  const [open, setOpen] = useState<'create' | 'attach'>()
  const [bootSource, bootDisk, bootDiskName] = useWatch<
    InstanceValues,
    ['bootSource', 'bootDisk', 'bootDiskName']
  >({ name: ['bootSource', 'bootDisk', 'bootDiskName'] })
  const queued = disks.map(queuedName)
  const whyNot = whyNoMoreDisks(disks)
  const close = () => setOpen(undefined)
  const add = (disk: QueuedDisk) => onChange([...disks, disk])

  return (
    <FormSection title="Additional disks">
      <Lockable field="disks">
        <div className="space-y-3">
          <MiniTable
            label="Disks"
            columns={columns}
            items={disks}
            itemKey={queuedName}
            onRemove={(disk) => onChange(disks.filter((each) => each !== disk))}
            removeLabel={(disk) => `Remove disk ${queuedName(disk)}`}
            empty={
              <>
                <strong className="block">No disks</strong>
                Add a disk to see it here.
              </>
            }
          />
          <div className="flex flex-wrap gap-2">
            <Button disabledReason={whyNot} onClick={() => setOpen('create')}>
              Create new disk
            </Button>
            <Button disabledReason={whyNot} onClick={() => setOpen('attach')}>
              Attach existing disk
            </Button>
          </div>
        </div>
      </Lockable>
      {open === 'create' && (
        <DiskForm
          project={project}
          context="Created together with the instance"
          takenNames={takenDiskNames({ bootSource, bootDiskName, disks }, existing)}
          save={async (body) => add({ type: 'create', body })}
          closeTo={close}
        />
      )}
      {open === 'attach' && (
        <AttachDiskDialog
          project={project}
          // The boot disk is attached already.
          exclude={bootSource === 'disk' ? [...queued, bootDisk] : queued}
          onAttach={async ({ name, size }) => add({ type: 'attach', name, size })}
          onClose={close}
        />
      )}
    </FormSection>
  )
}
