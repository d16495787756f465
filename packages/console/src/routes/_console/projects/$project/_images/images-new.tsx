import { createFileRoute } from '@tanstack/react-router'
import { UploadForm } from '#/features/images/upload/UploadForm.tsx'

export const Route = createFileRoute('/_console/projects/$project/_images/images-new')({
  staticData: { title: 'Upload image' },
  component: ImageUpload,
})

function ImageUpload() {
  return <UploadForm project={Route.useParams().project} />
}
