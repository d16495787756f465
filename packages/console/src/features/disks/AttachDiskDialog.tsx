import type { ReactNode } from 'react'
import { Failure } from '#/data/failure.ts'
import { formatBytes } from '#/ui/data/format.ts'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { type Offered, useOffered } from '#/kit/list/use-offered.ts'
import { useClearUnavailable } from '#/kit/list/use-clear-unavailable.ts'
import { type Disk, offeredDisks } from './queries.ts'
import { attachable, attachableFilter } from './rules.ts'

interface Props {
  project: string
  /** Names already in use. */
  exclude?: readonly string[]
  onAttach: (disk: Disk) => Promise<Disk | void>
  saved?: (disk: Disk) => ReactNode
  onClose: () => void
}

/** Selects an unattached disk. */
export function AttachDiskDialog({ project, exclude, onAttach, saved, onClose }: Props) {
  const all = useOffered(offeredDisks(project, attachableFilter))
  const disks = attachable(all.data ?? [], exclude ?? [])
  return (
    <DialogForm
      title="Attach disk"
      submitLabel="Attach disk"
      pendingLabel="Attaching disk"
      initial={{ disk: '' }}
      save={async ({ disk: name }) => {
        const disk = disks.find((each) => each.name === name)
        if (!disk)
          throw new Failure({
            message: `Disk ${name} is no longer available`,
            help: 'Select another one.',
            statusCode: 409,
          })
        return (await onAttach(disk)) ?? disk
      }}
      {...(saved && { saved })}
      onClose={onClose}
    >
      <DiskField all={all} disks={disks} />
    </DialogForm>
  )
}

function DiskField({ all, disks }: { all: Offered<Disk>; disks: readonly Disk[] }) {
  useClearUnavailable(
    'disk',
    disks.map(({ name }) => name),
  )
  return (
    <ChoiceField
      name="disk"
      label="Disk name"
      placeholder="Select a disk"
      hint={all.data && disks.length === 0 ? 'This project has no detached disks.' : undefined}
      {...choicesOf(all)}
      options={disks.map(({ name, size, state }) => ({
        value: name,
        label: name,
        detail: state.state === 'creating' ? `${formatBytes(size)} / creating` : formatBytes(size),
      }))}
    />
  )
}
