import { createFileRoute } from '@tanstack/react-router'
import { InstanceDocs } from '#/features/instances/parts.tsx'
import { PageHead } from '#/kit/list/ListPage.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'

const ImportFile = lazyPart(() => import('#/features/instances/import/ImportFile.tsx'), 'ImportFile')
const ImportForm = lazyPart(() => import('#/features/instances/import/ImportForm.tsx'), 'ImportForm')

export const Route = createFileRoute('/_console/projects/$project/instances-import')({
  validateSearch: ({ upload }: Record<string, unknown>): { upload?: string } =>
    typeof upload === 'string' ? { upload } : {},
  staticData: { crumb: { label: 'Import instance', to: '/projects/$project/instances-import' } },
  component: ImportInstance,
})

function ImportInstance() {
  const { project } = Route.useParams()
  const { upload } = Route.useSearch()
  if (upload !== undefined) return <ImportForm key={upload} project={project} upload={upload} />
  return (
    <>
      <PageHead title="Import instance" docs={<InstanceDocs />} />
      <ImportFile project={project} />
    </>
  )
}
