import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { useFormField } from '#/kit/forms/fields.tsx'
import { NewLink } from '#/kit/list/ListPage.tsx'
import { useClearUnavailable } from '#/kit/list/use-clear-unavailable.ts'
import { allDisks } from '#/features/disks/queries.ts'
import { allProjectImages, allSiloImages } from '#/features/images/queries.ts'
import { formatBytes } from '#/ui/data/format.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { Segmented } from '#/ui/inputs/Segmented.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { maxGib } from '#/features/disks/rules.ts'
import {
  BootCopyFields,
  BootImageFields,
  BootTemplateFields,
  SizeAndName,
  useFollow,
} from './boot-disk-fields.tsx'
import { FormSection } from './FormSection.tsx'
import { Lockable, useIsFixed } from './template/Lockable.tsx'
import { bootableDisks } from './problems.ts'
import type { BootSource, InstanceValues } from './values.ts'

const sources: readonly { value: BootSource; label: string }[] = [
  { value: 'silo', label: 'Silo images' },
  { value: 'project', label: 'Project images' },
  { value: 'installer', label: 'Installer' },
  { value: 'disk', label: 'Existing disks' },
]
const InstallerFields = lazyPart(() => import('./InstallerFields.tsx'), 'InstallerFields')

const copySource = { value: 'copy', label: 'Copy' } as const
const templateSource = { value: 'template', label: 'Template' } as const

export function BootDiskSection({ project }: { project: string }) {
  const { data: siloImages } = useSuspenseQuery(allSiloImages)
  const { data: projectImages } = useSuspenseQuery(allProjectImages(project))
  const { data: disks } = useSuspenseQuery(allDisks(project))
  const queued = useWatch<InstanceValues, 'disks'>({ name: 'disks' })
  const bootCopy = useWatch<InstanceValues, 'bootCopy'>({ name: 'bootCopy' })
  const bootTemplate = useWatch<InstanceValues, 'bootTemplate'>({ name: 'bootTemplate' })
  const source = useFormField<BootSource>('bootSource')
  const isFixed = useIsFixed('boot_source')
  const imageId = useWatch<InstanceValues, 'siloImage' | 'projectImage'>({
    name: source.value === 'project' ? 'projectImage' : 'siloImage',
  })
  const { getValues } = useFormContext<InstanceValues>()
  const follow = useFollow()
  const bootable = bootableDisks(disks, queued)
  useClearUnavailable(
    'bootDisk',
    bootable.map(({ name }) => name),
  )
  const hasNothing =
    siloImages.length === 0 &&
    projectImages.length === 0 &&
    bootable.length === 0 &&
    !bootCopy &&
    !bootTemplate

  if (isFixed)
    return (
      <FormSection title="Boot disk" hint="Its source is the template's.">
        <Lockable field="boot_source">{null}</Lockable>
        {source.value !== 'disk' && (
          <SizeAndName
            project={project}
            source="source"
            sourceBytes={[...siloImages, ...projectImages].find(({ id }) => id === imageId)?.size}
            hint={`Up to ${maxGib} GiB, at least as large as its source.`}
          />
        )}
      </FormSection>
    )
  return (
    <FormSection
      title="Boot disk"
      hint="Created from an image, installed from a CD, or an existing detached disk."
    >
      <Lockable field="boot_source">{null}</Lockable>
      {hasNothing && (
        <Note kind="busy">
          An instance needs a boot disk. Upload an image, promote one to the silo, or create a disk first.
        </Note>
      )}
      <Segmented
        label="Boot disk"
        options={[...(bootCopy ? [copySource] : []), ...(bootTemplate ? [templateSource] : []), ...sources]}
        value={source.value}
        onChange={(next) => {
          source.onChange(next)
          // The size follows the image in effect.
          if (next === 'silo') follow(siloImages, getValues('siloImage'))
          if (next === 'project') follow(projectImages, getValues('projectImage'))
        }}
      />
      {source.value === 'copy' && bootCopy && <BootCopyFields project={project} disk={bootCopy} />}
      {source.value === 'template' && bootTemplate && (
        <BootTemplateFields project={project} words={bootTemplate.words} />
      )}
      {source.value === 'silo' && (
        <BootImageFields
          name="siloImage"
          project={project}
          images={siloImages}
          placeholder="Select a silo image"
          empty={<Empty title="No silo images found">Promote a project image to see it here.</Empty>}
        />
      )}
      {source.value === 'project' && (
        <BootImageFields
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
      {source.value === 'installer' && (
        <InstallerFields project={project} images={[...siloImages, ...projectImages]} />
      )}
      {source.value === 'disk' &&
        (bootable.length === 0 ? (
          <Empty title="No detached disks found">Detach or create a disk to see it here.</Empty>
        ) : (
          <ChoiceField
            name="bootDisk"
            label="Disk"
            hint="Only disks that are creating or detached are listed."
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

function UploadLink({ project }: { project: string }) {
  return (
    <NewLink
      kind="default"
      link={{ to: '/projects/$project/images-new', params: { project } }}
      disabled={useWhyNotInProject(project)}
    >
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
