import { imageUploadSizeProblem } from '@gantry/api/storage/image-upload.rules'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { DescriptionField, NameField, TextField, useFormField } from '#/kit/forms/fields.tsx'
import { SideForm } from '#/kit/forms/SideForm.tsx'
import { BlockSizeField } from '#/features/disks/BlockSizeField.tsx'
import { beginUpload } from '#/features/images/upload/begin.ts'
import type { ImageDetails } from '#/features/images/upload/clients.ts'
import { blockSizeHint, bootHint } from '#/features/images/upload/file-hints.ts'
import { planOf } from '#/features/images/upload/file-plan.ts'
import { formatOf, imageFormatsHere, probeOf } from '#/features/images/upload/file-probe.ts'
import type { UploadTask } from '#/features/images/upload/task.ts'
import { runningUpload } from '#/features/images/upload/running-upload.ts'
import { useStore } from '#/store.ts'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { FileField } from '#/ui/inputs/FileField.tsx'
import { Note } from '#/ui/feedback/Note.tsx'

export const Route = createFileRoute('/_console/projects/$project/_images/images-new')({
  staticData: { title: 'Upload image' },
  component: UploadForm,
})

interface Values extends Omit<ImageDetails, 'format'> {
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
  keepsBytes: false,
}

/** The form for an image and its file. The upload itself lives outside and outlives this form. */
function UploadForm() {
  const { project } = Route.useParams()
  const queryClient = useQueryClient()
  const whyNotAllowed = useWhyNotInProject(project)
  const [isRunning, setRunning] = useState(false)
  const current = useStore(runningUpload)

  async function upload({ file, keepsBytes, ...image }: Values): Promise<void> {
    if (!file) throw new Error('a file is required')
    const format = await formatOf(queryClient, file, keepsBytes)
    const task = await beginUpload(queryClient, project, { ...image, format }, file)
    setRunning(true)
    const isSuccessful = await outcome(task)
    setRunning(false)
    // The dialog has already reported a cancellation or failure, and the form stays open for another attempt.
    if (!isSuccessful) throw new AggregateError([])
  }

  const isBusyElsewhere = current !== undefined && !isRunning
  return (
    <SideForm
      title="Upload image"
      context={`In project ${project}`}
      pendingLabel="Uploading image"
      initial={empty}
      save={upload}
      closeTo={{ to: '/projects/$project/images', params: { project } }}
      disabled={
        whyNotAllowed ?? (isBusyElsewhere ? 'Another image is being uploaded in this tab' : undefined)
      }
      isSavedElsewhere={isRunning}
    >
      <Note>
        Images are raw disk images. A bootable image has an EFI partition table or is a bootable CD. Files of
        other formats (qcow2, VMDK, VHDX, gzip, xz, zstd) are converted by servers that have the tools for it.
      </Note>
      <NameField name="name" />
      <DescriptionField name="description" />
      <TextField name="os" label="OS" />
      <TextField name="version" label="Version" />
      <FileFields />
    </SideForm>
  )
}

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
