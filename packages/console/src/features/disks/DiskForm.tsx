import { GiB } from '@gantry/api/base/bytes.rules'
import type { InputOf } from '@gantry/api/client/client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import type { Send } from '#/data/client.ts'
import { useWhyLacking } from '#/data/fleet.ts'
import type { RecordedStep } from '#/data/recording/recorded.ts'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { ChoiceField, NumberField, RadioField } from '#/kit/forms/choice-fields.tsx'
import { DescriptionField, NameField, useFormField } from '#/kit/forms/fields.tsx'
import { SideForm } from '#/kit/forms/SideForm.tsx'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { useOffered } from '#/kit/list/use-offered.ts'
import { useClearUnavailable } from '#/kit/list/use-clear-unavailable.ts'
import { imageOption } from '#/features/images/parts.ts'
import { allSiloImages, offeredImages } from '#/features/images/queries.ts'
import { offeredSnapshots } from '#/features/snapshots/queries.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { formatBytes, formatDate } from '#/ui/data/format.ts'
import { RadioGroup } from '#/ui/inputs/Radio.tsx'
import { BlockSizeField } from './BlockSizeField.tsx'
import { diskBody, type DiskValues, emptyDisk, type SourceKind } from './disk-body.ts'
import { allDisks } from './queries.ts'
import { diskGibProblem, followSource, maxGib, minGib } from './rules.ts'

export type DiskCreate = InputOf<'diskCreate'>['body']

interface Props<Saved> {
  project: string
  context?: ReactNode
  /** Names of other disks, existing or about to be created. */
  takenNames?: readonly string[]
  save: (body: DiskCreate, send?: Send) => Promise<Saved>
  /** The requests that `save` sends, if there are several. */
  codeOf?: (body: DiskCreate) => readonly RecordedStep[]
  /** More fields, below. */
  children?: ReactNode
  saved?: (result: Saved) => ReactNode
  closeTo: LinkTarget | (() => void)
  disabled?: string | undefined
}

/** Fields of a new disk, created on its own or as part of another request. */
export function DiskForm<Saved>(props: Props<Saved>) {
  const { project, context = `In project ${project}`, takenNames, save, codeOf, saved } = props
  return (
    <SideForm<DiskValues, Saved>
      title="Create disk"
      context={context}
      pendingLabel="Creating disk"
      initial={emptyDisk}
      save={(values, send) => save(diskBody(values), send)}
      hasNoCode={save.length < 2}
      {...(codeOf && { codeOf: (values) => codeOf(diskBody(values)) })}
      {...(saved && { saved })}
      closeTo={props.closeTo}
      disabled={props.disabled}
    >
      <NameField
        name="name"
        problem={(name) => (takenNames?.includes(name) ? 'Name is already in use' : undefined)}
      />
      <DescriptionField name="description" />
      <TypeFields project={project} />
      {props.children}
    </SideForm>
  )
}

const types = [
  { value: 'distributed', label: 'Distributed' },
  { value: 'local', label: 'Local' },
] as const

/** A fleet without local disks has no choice to offer. */
function TypeFields({ project }: { project: string }) {
  const whyNotLocal = useWhyLacking('local_disks')
  const isNewest = useHasExtensions()
  const type = useWatch<DiskValues, 'type'>({ name: 'type' })
  return (
    <>
      {!whyNotLocal && isNewest && (
        <RadioField
          name="type"
          label="Type"
          options={types}
          hint="A distributed disk outlives each sled. A local one is on the sled of its instance, and lost with it."
        />
      )}
      {type === 'local' ? <LocalSizeField /> : <SourceFields project={project} />}
    </>
  )
}

const LocalSizeField = () => (
  <>
    <NumberField
      name="size"
      label="Size"
      unit="GiB"
      min={1}
      problem={(gib) => diskGibProblem(gib, { label: 'Size', isLocal: true })}
    />
    <Note>
      It is empty at first. After the first start of its instance, the instance starts on the same sled only.
      A local disk cannot be snapshotted, copied or grown.
    </Note>
  </>
)

const sources: readonly { value: SourceKind; label: string }[] = [
  { value: 'blank', label: 'Blank' },
  { value: 'snapshot', label: 'Snapshot' },
  { value: 'image', label: 'Image' },
]

function SourceFields({ project }: { project: string }) {
  const source = useFormField<SourceKind>('source')
  const form = useFormContext<DiskValues>()
  return (
    <>
      <Field group label="Source">
        <RadioGroup
          options={sources}
          value={source.value}
          onChange={(next) => {
            source.onChange(next)
            // A selection of another source kind must not be sent.
            form.setValue('snapshot', '')
            form.setValue('image', '')
            form.setValue('readOnly', false)
            form.clearErrors(['snapshot', 'image', 'size'])
          }}
        />
      </Field>
      {source.value === 'blank' && <BlankFields />}
      {source.value === 'snapshot' && <SnapshotFields project={project} />}
      {source.value === 'image' && <ImageFields project={project} />}
    </>
  )
}

function BlankFields() {
  return (
    <>
      <BlockSizeField />
      <SizeField />
    </>
  )
}

function SnapshotFields({ project }: { project: string }) {
  const snapshots = useOffered(offeredSnapshots(project))
  const { data: disks } = useQuery(allDisks(project))
  const diskNames = new Map(disks?.map(({ id, name }) => [id, name]))
  const selected = useWatch({ name: 'snapshot' }) as string
  useClearUnavailable('snapshot', snapshots.data?.map(({ id }) => id) ?? [])
  const sizeOf = (id: string) => snapshots.data?.find((each) => each.id === id)?.size
  const follow = useFollow(sizeOf)
  return (
    <>
      <ChoiceField
        name="snapshot"
        label="Source snapshot"
        placeholder="Select a snapshot"
        {...choicesOf(snapshots)}
        hint={snapshots.data?.length === 0 ? 'This project has no snapshots.' : undefined}
        onChoose={follow}
        options={(snapshots.data ?? []).map(({ id, name, timeCreated, diskId, size, state }) => {
          const from = diskNames.get(diskId)
          const origin = `Created on ${formatDate(timeCreated)}${from ? ` from ${from}` : ''}`
          const isReady = state === 'ready'
          return {
            value: id,
            label: name,
            detail: [origin, formatBytes(size), !isReady && state].filter(Boolean).join(' / '),
            disabled: !isReady,
          }
        })}
      />
      <SizeField source="snapshot" sourceBytes={sizeOf(selected)} />
      <ReadOnlyField source="snapshot" sourceBytes={sizeOf(selected)} />
    </>
  )
}

function ImageFields({ project }: { project: string }) {
  const ofProject = useOffered(offeredImages(project))
  const ofSilo = useQuery(allSiloImages)
  const selected = useWatch({ name: 'image' }) as string
  const images = [...(ofProject.data ?? []), ...(ofSilo.data ?? [])]
  useClearUnavailable(
    'image',
    images.map(({ id }) => id),
  )
  const sizeOf = (id: string) => images.find((image) => image.id === id)?.size
  const follow = useFollow(sizeOf)
  return (
    <>
      <ChoiceField
        name="image"
        label="Source image"
        placeholder="Select an image"
        {...choicesOf(ofProject, ofSilo)}
        onChoose={follow}
        options={[
          ...(ofProject.data ?? []).map((image) => imageOption(image, 'Project image')),
          ...(ofSilo.data ?? []).map((image) => imageOption(image, 'Silo image')),
        ]}
      />
      <SizeField source="image" sourceBytes={sizeOf(selected)} />
      <ReadOnlyField source="image" sourceBytes={sizeOf(selected)} />
    </>
  )
}

/** Updates the size when the source changes. */
function useFollow(sizeOf: (id: string) => number | undefined): (id: string) => void {
  const { getValues, setValue, formState } = useFormContext<DiskValues>()
  return (id) => {
    const bytes = sizeOf(id)
    if (bytes === undefined) return
    const size = getValues('readOnly') ? bytes / GiB : followSource(getValues('size'), bytes)
    setValue('size', size, { shouldValidate: formState.isSubmitted })
  }
}

interface Sourced {
  source: 'snapshot' | 'image'
  sourceBytes: number | undefined
}

/** A read-only disk has the size of its source, which takes effect as soon as both are known. */
function ReadOnlyField({ source, sourceBytes }: Sourced) {
  const { setValue, formState } = useFormContext<DiskValues>()
  const { value, onChange } = useFormField<boolean>('readOnly')
  const isPossible = sourceBytes === undefined || sourceBytes % GiB === 0
  const isReadOnly = value && isPossible
  useEffect(() => {
    if (value && !isPossible) onChange(false)
  }, [value, isPossible, onChange])
  return (
    <Field
      group
      label="Access"
      hint={
        isPossible
          ? `A read-only disk only shows what the ${source} holds. It cannot be snapshotted and cannot grow.`
          : `The size of the ${source} is not a whole number of GiB, so that a disk of it is larger and can be written.`
      }
    >
      <Checkbox
        name="readOnly"
        checked={isReadOnly}
        disabled={!isPossible}
        onChange={({ target }) => {
          onChange(target.checked)
          if (target.checked && sourceBytes !== undefined)
            setValue('size', sourceBytes / GiB, { shouldValidate: formState.isSubmitted })
        }}
      >
        Read-only
      </Checkbox>
    </Field>
  )
}

function SizeField({ source, sourceBytes }: Partial<Sourced>) {
  const readOnly = useWatch({ name: 'readOnly' }) as boolean
  return (
    <NumberField
      name="size"
      label="Size"
      unit="GiB"
      min={minGib(sourceBytes)}
      max={maxGib}
      problem={(gib) =>
        diskGibProblem(gib, { label: 'Size', ...(source && { source }), sourceBytes, readOnly })
      }
    />
  )
}
