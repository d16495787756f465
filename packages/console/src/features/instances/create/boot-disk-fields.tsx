import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { ChoiceField, NumberField } from '#/kit/forms/choice-fields.tsx'
import { NameField } from '#/kit/forms/fields.tsx'
import { useClearUnavailable } from '#/kit/list/use-clear-unavailable.ts'
import { allDisks } from '#/features/disks/queries.ts'
import { diskGibProblem, followSource, maxGib, minGib } from '#/features/disks/rules.ts'
import { imageOption } from '#/features/images/parts.ts'
import type { Image } from '#/features/images/queries.ts'
import { formatBytes } from '#/ui/data/format.ts'
import { bootDiskNameProblem } from './problems.ts'
import { Lockable } from './template/Lockable.tsx'
import type { CopiedDisk, InstanceValues } from './values.ts'

interface ImageProps {
  name: 'siloImage' | 'projectImage'
  project: string
  images: readonly Image[]
  placeholder: string
  empty: ReactNode
}

/** A boot disk created from one of these images. */
export function BootImageFields({ name, project, images, placeholder, empty }: ImageProps) {
  const selectedId = useWatch<InstanceValues, typeof name>({ name })
  const follow = useFollow()
  const selected = images.find(({ id }) => id === selectedId)
  useClearUnavailable(
    name,
    images.map(({ id }) => id),
  )
  if (images.length === 0) return empty
  return (
    <>
      <ChoiceField
        name={name}
        label="Image"
        placeholder={placeholder}
        options={images.map((image) => imageOption(image))}
        suffix={selected && `${selected.os} ${selected.version} · ${formatBytes(selected.size)}`}
        onChoose={(id) => follow(images, id)}
      />
      <SizeAndName
        project={project}
        source="image"
        sourceBytes={selected?.size}
        hint={`${minGib(selected?.size)} to ${maxGib} GiB${selected ? ', at least as large as the image.' : '.'}`}
      />
    </>
  )
}

interface CopyProps {
  project: string
  disk: CopiedDisk
}

/** A boot disk copied from another disk. */
export function BootCopyFields({ project, disk: { name, size } }: CopyProps) {
  return (
    <>
      <p className="text-sm text-muted">
        A copy of <strong>{name}</strong>, from a snapshot that is taken when you create the instance.
      </p>
      <SizeAndName
        project={project}
        source="disk"
        sourceBytes={size}
        hint={`${minGib(size)} to ${maxGib} GiB, at least as large as ${name}.`}
      />
    </>
  )
}

/** A boot disk whose source a template keeps. */
export function BootTemplateFields({ project, words }: { project: string; words: string }) {
  return (
    <>
      <p className="text-sm text-muted">
        From the <strong>{words}</strong> of the template.
      </p>
      <SizeAndName project={project} source="source" sourceBytes={undefined} hint={`Up to ${maxGib} GiB.`} />
    </>
  )
}

interface SizeProps {
  project: string
  source: string
  sourceBytes: number | undefined
  hint: string
}

export function SizeAndName({ project, source, sourceBytes, hint }: SizeProps) {
  const { data: disks } = useSuspenseQuery(allDisks(project))
  const queued = useWatch<InstanceValues, 'disks'>({ name: 'disks' })
  return (
    <>
      <Lockable field="boot_size">
        <NumberField
          name="bootDiskSize"
          label="Disk size"
          unit="GiB"
          hint={hint}
          min={minGib(sourceBytes)}
          max={maxGib}
          problem={(gib) => diskGibProblem(gib, { label: 'Disk size', source, sourceBytes })}
        />
      </Lockable>
      <NameField
        name="bootDiskName"
        label="Disk name"
        optional
        hint="Generated if left blank."
        problem={(diskName) => bootDiskNameProblem(diskName, disks, queued)}
      />
    </>
  )
}

/** Raises the boot disk's size if the image does not fit. */
export function useFollow(): (images: readonly Image[], id: string) => void {
  const { getValues, setValue, formState } = useFormContext<InstanceValues>()
  return (images, id) => {
    const image = images.find((each) => each.id === id)
    if (!image) return
    const size = followSource(getValues('bootDiskSize'), image.size)
    setValue('bootDiskSize', size, { shouldDirty: true, shouldValidate: formState.isSubmitted })
  }
}
