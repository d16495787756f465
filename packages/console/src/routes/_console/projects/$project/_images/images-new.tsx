import { createFileRoute } from '@tanstack/react-router'
import { imagePaths } from '../../../../../features/images/queries.ts'
import { UploadForm } from '../../../../../features/images/upload/UploadForm.tsx'

export const Route = createFileRoute('/_console/projects/$project/_images/images-new')({
  staticData: {
    crumb: ({ project = '' }) => ({
      label: 'Upload image',
      path: imagePaths.upload(project),
      titleOnly: true,
    }),
  },
  component: ImageUpload,
})

function ImageUpload() {
  return <UploadForm project={Route.useParams().project} />
}
