import * as op from '@gantry/api/client/operations.gen'
import { imageUploadSizeProblem } from '@gantry/api/storage/image-upload.rules'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import type { Tag } from '@gantry/api/tags/tag.rules'
import type { Send } from '#/data/client.ts'
import type { RecordedStep } from '#/data/recording/recorded.ts'
import { useOp } from '#/data/use-op.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { DescriptionField, NameField, TextField, useFormField } from '#/kit/forms/fields.tsx'
import { placeholderId } from '#/kit/forms/form-props.ts'
import { SideForm } from '#/kit/forms/SideForm.tsx'
import { NewTags } from '#/features/tags/NewTags.tsx'
import { BlockSizeField } from '#/features/disks/BlockSizeField.tsx'
import { beginUpload } from '#/features/images/upload/begin.ts'
import type { ImageDetails } from '#/features/images/upload/clients.ts'
import { blockSizeHint, bootHint } from '#/features/images/upload/file-hints.ts'
import { planOf } from '#/features/images/upload/file-plan.ts'
import { formatOf, imageFormatsHere, probeOf } from '#/features/images/upload/file-probe.ts'
import type { UploadTask } from '#/features/images/upload/task.ts'
import { UrlFields, type UrlValues } from '#/features/images/upload/UrlFields.tsx'
import { runningUpload } from '#/features/images/upload/running-upload.ts'
import { useStore } from '#/store.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { FileField } from '#/ui/inputs/FileField.tsx'
import { Segmented } from '#/ui/inputs/Segmented.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { Note } from '#/ui/feedback/Note.tsx'

export const Route = createFileRoute('/_console/projects/$project/_images/images-new')({
  staticData: { title: 'Upload image' },
  component: UploadForm,
})

interface Values extends Omit<ImageDetails, 'format'>, UrlValues {
  file: File | undefined
  /** Whether a convertible file is uploaded unchanged. */
  keepsBytes: boolean
}

const empty: Values = {
  name: '',
  description: '',
  os: '',
  version: '',
  blockSize: 512,
  file: undefined,
  url: '',
  sha256: '',
  keepsBytes: false,
}

const sources = [
  { value: 'file', label: 'A file' },
  { value: 'url', label: 'A URL' },
] as const
type Source = (typeof sources)[number]['value']

/** The form for an image and its file. The upload itself lives outside and outlives this form. */
function UploadForm() {
  const { project } = Route.useParams()
  const queryClient = useQueryClient()
  const whyNotAllowed = useWhyNotInProject(project)
  const hasExtensions = useHasExtensions()
  const [from, setFrom] = useState<Source>('file')
  const [isRunning, setRunning] = useState(false)
  const current = useStore(runningUpload)
  const importing = useOp(op.imageImportCreate)
  const { data: formats } = useQuery({ ...imageFormatsHere, enabled: from === 'url' })

  async function upload({ file, keepsBytes, ...values }: Values, send?: Send): Promise<void> {
    if (!file) throw new Error('a file is required')
    const format = await formatOf(queryClient, file, keepsBytes)
    const image = { ...detailsOf(values), format }
    const task = await beginUpload(queryClient, project, image, file, send)
    setRunning(true)
    const isSuccessful = await outcome(task)
    setRunning(false)
    // The dialog has already reported a cancellation or failure, and the form stays open for another attempt.
    if (!isSuccessful) throw new AggregateError([])
  }

  /** The bytes themselves, and what the server lacks, are not part of it. */
  async function uploadSteps(
    { file, keepsBytes, ...values }: Values,
    tags: readonly Tag[],
  ): Promise<readonly RecordedStep[]> {
    if (!file) throw new Error('a file is required')
    const body = {
      ...detailsOf(values),
      format: await formatOf(queryClient, file, keepsBytes),
      size: file.size,
    }
    const id = placeholderId(1)
    const path = { upload: id }
    return [
      { op: op.imageUploadCreate, input: { query: { project }, body }, tags, answered: { id } },
      { op: op.imageUploadWrite, input: { path }, hasBytes: true },
      { op: op.imageUploadComplete, input: { path } },
    ]
  }

  async function fetchFile({ url, sha256, keepsBytes, ...values }: Values, send?: Send): Promise<void> {
    const image = detailsOf(values)
    const body = { ...image, url, sha256: sha256 || null, format: keepsBytes ? ('raw' as const) : null }
    await importing.run({ query: { project }, body }, send)
    toast.success(successMessage('Image', image.name, 'is being fetched'))
  }

  const isUrl = from === 'url'
  const isBusyElsewhere = current !== undefined && !isRunning
  const busy = isBusyElsewhere ? 'Another image is being uploaded in this tab' : undefined
  return (
    <SideForm
      title="Upload image"
      submitLabel={isUrl ? 'Fetch image' : 'Upload image'}
      context={`In project ${project}`}
      pendingLabel={isUrl ? 'Beginning' : 'Uploading image'}
      initial={empty}
      save={isUrl ? fetchFile : upload}
      {...(!isUrl && { codeOf: uploadSteps })}
      closeTo={{ to: '/projects/$project/images', params: { project } }}
      disabled={whyNotAllowed ?? (isUrl ? (formats?.fetch?.whyNot ?? undefined) : busy)}
      isSavedElsewhere={isRunning}
    >
      <Note>
        Images are raw disk images. A bootable image has an EFI partition table or is a bootable CD. Files of
        other formats (qcow2, VMDK, VHDX, gzip, xz, zstd) are converted by servers that have the tools for it.
      </Note>
      {hasExtensions && (
        <Field group label="From">
          <Segmented label="From" options={sources} value={from} onChange={setFrom} />
        </Field>
      )}
      {isUrl && <UrlFields maxSize={formats?.fetch?.maxSize} />}
      <NameField name="name" />
      <DescriptionField name="description" />
      <TextField name="os" label="OS" />
      <TextField name="version" label="Version" />
      {isUrl ? <BlockSizeField /> : <FileFields />}
      <NewTags kind="image" project={project} />
    </SideForm>
  )
}

/** What is asked for whatever its source. */
const detailsOf = ({ name, description, os, version, blockSize }: Omit<ImageDetails, 'format'>) => ({
  name,
  description,
  os,
  version,
  blockSize,
})

/** Whether the upload succeeded, or continues in the background, once its dialog is closed. */
async function outcome(task: UploadTask): Promise<boolean> {
  await new Promise<void>((resolve) => {
    const stop = runningUpload.subscribe(() => {
      const current = runningUpload.get()
      if (current?.task === task && !current.isHidden) return
      stop()
      resolve()
    })
  })
  if (runningUpload.get()?.task === task) return true
  await task.ended()
  return task.state().phase === 'done'
}

function FileFields() {
  const blockSize = useWatch<Values, 'blockSize'>({ name: 'blockSize' })
  const file = useWatch<Values, 'file'>({ name: 'file' })
  const { setValue, clearErrors } = useFormContext<Values>()
  const { ref: keepingRef, ...keeping } = useFormField<boolean>('keepsBytes')
  const { data: found } = useQuery({ ...probeOf(file ?? noFile), enabled: file !== undefined })
  const isRaw = found?.kind === 'raw'
  const { data: formats } = useQuery({ ...imageFormatsHere, enabled: found !== undefined && !isRaw })
  const plan = file && found && planOf(found, formats, keeping.value)
  function problemOf({ size }: File): string | undefined {
    // The server checks a file that could not be probed in time.
    if (!found) return undefined
    const problem = imageUploadSizeProblem(size, blockSize, plan?.format ?? 'raw')
    return problem ? `The file cannot be used as an image: ${problem.reason}` : plan?.problem?.message
  }
  const { ref, error, ...field } = useFormField<File | undefined>('file', (file) =>
    file ? problemOf(file) : 'Image file is required',
  )
  const wrongSize = file && isRaw && blockSizeHint(found, blockSize)
  const notBootable = file && found && bootHint(found)
  return (
    <>
      <BlockSizeField />
      {wrongSize && (
        <Note kind="busy" title="Block size might be set incorrectly">
          {wrongSize}
        </Note>
      )}
      <Field label="Image file" error={error}>
        <FileField
          ref={ref}
          name="file"
          value={file}
          onChange={(file) => {
            field.onChange(file)
            setValue('keepsBytes', false)
          }}
          onBlur={field.onBlur}
        />
      </Field>
      {plan && (
        <>
          <Note kind={plan.problem ? 'busy' : 'note'} title={plan.title}>
            {plan.text}
          </Note>
          <Checkbox
            ref={keepingRef}
            name="keepsBytes"
            checked={keeping.value}
            onBlur={keeping.onBlur}
            onChange={(event) => {
              keeping.onChange(event.target.checked)
              clearErrors('file')
            }}
          >
            Keep its bytes as they are
          </Checkbox>
        </>
      )}
      {notBootable && (
        <Note kind="busy" title="Might not be bootable">
          {notBootable}
        </Note>
      )}
    </>
  )
}

const noFile = new File([], '')
