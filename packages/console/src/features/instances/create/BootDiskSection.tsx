import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { formatBytes } from '../../../ui/format.ts'
import { Note } from '../../../ui/Note.tsx'
import { Segmented } from '../../../ui/Segmented.tsx'
import { ChoiceField, NumberField } from '../../common/forms/choice-fields.tsx'
import { NameField, useFormField } from '../../common/forms/fields.tsx'
import { NewLink } from '../../common/ListPage.tsx'
import { useWhyNotInProject } from '../../common/project-permission.ts'
import { allDisks } from '../../disks/queries.ts'
import { diskGibProblem, followSource, leastGib, maxGib } from '../../disks/size.ts'
import { imageOption, imageSize } from '../../images/image-option.ts'
import { allProjectImages, allSiloImages, type Image, imagePaths } from '../../images/queries.ts'
import { FormSection } from './FormSection.tsx'
import { bootableDisks, bootDiskNameProblem } from './problems.ts'
import type { BootSource, InstanceValues } from './values.ts'

const sources: readonly { value: BootSource; label: string }[] = [
  { value: 'silo', label: 'Silo images' },
  { value: 'project', label: 'Project images' },
  { value: 'disk', label: 'Existing disks' },
]

export function BootDiskSection({ project }: { project: string }) {
  const { data: siloImages } = useSuspenseQuery(allSiloImages)
  const { data: projectImages } = useSuspenseQuery(allProjectImages(project))
  const { data: disks } = useSuspenseQuery(allDisks(project))
  const queued = useWatch<InstanceValues, 'disks'>({ name: 'disks' })
  const source = useFormField<BootSource>('bootSource')
  const { getValues } = useFormContext<InstanceValues>()
  const follow = useFollow()
  const bootable = bootableDisks(disks, queued)
  const hasNothing = siloImages.length === 0 && projectImages.length === 0 && bootable.length === 0

  return (
    <FormSection title="Boot disk" hint="Created from an image, or an existing detached disk.">
      {hasNothing && (
        <Note kind="busy">
          An instance needs a boot disk. Upload an image, promote one to the silo, or create a disk first.
        </Note>
      )}
      <Segmented
        label="Boot disk"
        options={sources}
        value={source.value}
        onChange={(next) => {
          source.onChange(next)
          // The size belongs to whichever image now counts.
          if (next === 'silo') follow(siloImages, getValues('siloImage'))
          if (next === 'project') follow(projectImages, getValues('projectImage'))
        }}
      />
      {source.value === 'silo' && (
        <ImageFields
          name="siloImage"
          project={project}
          images={siloImages}
          placeholder="Select a silo image"
          empty={<Empty title="No silo images found">Promote a project image to see it here.</Empty>}
        />
      )}
      {source.value === 'project' && (
        <ImageFields
          name="projectImage"
          project={project}
          images={projectImages}
          placeholder="Select a project image"
          empty={
            <Empty title="No project images found" action={<UploadLink project={project} />}>
              Upload an image to see it here.
            </Empty>
          }
        />
      )}
      {source.value === 'disk' &&
        (bootable.length === 0 ? (
          <Empty title="No detached disks found">Detach or create a disk to see it here.</Empty>
        ) : (
          <ChoiceField
            name="bootDisk"
            label="Disk"
            hint="Only detached disks are listed."
            placeholder="Select a disk"
            options={bootable.map(({ name, size }) => ({
              value: name,
              label: name,
              detail: formatBytes(size),
            }))}
          />
        ))}
    </FormSection>
  )
}

interface ImageProps {
  name: 'siloImage' | 'projectImage'
  project: string
  images: readonly Image[]
  placeholder: string
  empty: ReactNode
}

function ImageFields({ name, project, images, placeholder, empty }: ImageProps) {
  const { data: disks } = useSuspenseQuery(allDisks(project))
  const queued = useWatch<InstanceValues, 'disks'>({ name: 'disks' })
  const chosenId = useWatch<InstanceValues, typeof name>({ name })
  const follow = useFollow()
  const chosen = images.find(({ id }) => id === chosenId)
  if (images.length === 0) return empty
  return (
    <>
      <ChoiceField
        name={name}
        label="Image"
        placeholder={placeholder}
        options={images.map((image) => imageOption(image))}
        suffix={chosen && `${chosen.os} ${chosen.version} · ${imageSize(chosen)}`}
        onChoose={(id) => follow(images, id)}
      />
      <NumberField
        name="bootDiskSize"
        label="Disk size"
        unit="GiB"
        hint={`${leastGib(chosen?.size)} to ${maxGib} GiB${chosen ? ', at least as large as the image.' : '.'}`}
        min={leastGib(chosen?.size)}
        max={maxGib}
        problem={(gib) =>
          diskGibProblem(gib, { label: 'Disk size', source: 'image', sourceBytes: chosen?.size })
        }
      />
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

/** Raises the size of the boot disk where the image does not fit. */
function useFollow(): (images: readonly Image[], id: string) => void {
  const { getValues, setValue, formState } = useFormContext<InstanceValues>()
  return (images, id) => {
    const image = images.find((each) => each.id === id)
    if (!image) return
    const size = followSource(getValues('bootDiskSize'), image.size)
    setValue('bootDiskSize', size, { shouldDirty: true, shouldValidate: formState.isSubmitted })
  }
}

function UploadLink({ project }: { project: string }) {
  return (
    <NewLink kind="default" to={imagePaths.upload(project)} disabled={useWhyNotInProject(project)}>
      Upload image
    </NewLink>
  )
}

interface EmptyProps {
  title: string
  children: ReactNode
  action?: ReactNode
}

function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className="rounded-control border border-dashed border-control-line px-4 py-6 text-center">
      <h3 className="text-base">{title}</h3>
      <p className="text-sm text-muted">{children}</p>
      {action && <div className="mt-3">{action}</div>}
    </div>
  )
}
