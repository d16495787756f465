import { useQueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { FileFormField } from '#/kit/forms/FileFormField.tsx'
import { SideForm } from '#/kit/forms/SideForm.tsx'
import { beginUpload, runningUpload } from '#/features/updates/upload.ts'
import { useStore } from '#/store.ts'

export const Route = createFileRoute('/_console/system/_update/update-upload')({
  staticData: { title: 'Upload release' },
  component: UpdateUpload,
})

const initial: { file: File | undefined } = { file: undefined }

function UpdateUpload() {
  const queryClient = useQueryClient()
  const whyNot = useWhyNotOnFleet()
  const isBusy = useStore(runningUpload) !== undefined
  return (
    <SideForm
      title="Upload release"
      pendingLabel="Starting upload"
      initial={initial}
      save={async ({ file }) => {
        if (!file) throw new Error('a file is required')
        await beginUpload(queryClient, file)
      }}
      saved={() => 'Upload started'}
      closeTo={{ to: '/system/update' }}
      disabled={whyNot ?? (isBusy ? 'Another release is being uploaded in this tab' : undefined)}
    >
      <p className="text-muted">
        The upload continues while you use other pages, and resumes after an interruption. The release appears
        once its signature and all its files have been verified.
      </p>
      <FileFormField
        name="file"
        label="Repository"
        hint="A zip archive signed by one of the trust roots"
        maxBytes={2 ** 34}
      />
    </SideForm>
  )
}
