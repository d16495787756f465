import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { allGroups } from '#/features/affinity/queries.ts'
import { allDisks } from '#/features/disks/queries.ts'
import { allProjectImages, allSiloImages } from '#/features/images/queries.ts'
import { cloneSource } from '#/features/instances/create/clone/source.ts'
import { CreateInstance } from '#/features/instances/create/CreateInstance.tsx'
import { allFloatingIps } from '#/features/addresses/queries.ts'
import { allIpPools } from '#/features/ip-pools/queries.ts'
import { allSshKeys } from '#/features/ssh-keys/queries.ts'

/** The instance to clone. The router parses names that look like numbers or JSON words into other types. */
const cloneSearch = ({ from }: Record<string, unknown>): { from?: string } =>
  from === undefined ? {} : { from: typeof from === 'string' ? from : JSON.stringify(from) }

export const Route = createFileRoute('/_console/projects/$project/instances-new')({
  validateSearch: cloneSearch,
  loaderDeps: ({ search: { from } }) => ({ from }),
  loader: ({ context, params: { project }, deps: { from } }) =>
    context.renew(
      ...(from === undefined ? [] : [cloneSource(project, from)]),
      allSiloImages,
      allProjectImages(project),
      allDisks(project),
      allSshKeys,
      allIpPools,
      allFloatingIps(project),
      allGroups('anti-affinity', project),
    ),
  staticData: { crumb: { label: 'New instance', to: '/projects/$project/instances-new' } },
  component: NewInstance,
})

function NewInstance() {
  const { project } = Route.useParams()
  const { from } = Route.useSearch()
  return from === undefined ? (
    <CreateInstance key={project} project={project} />
  ) : (
    <CloneInstance key={`${project}/${from}`} project={project} from={from} />
  )
}

function CloneInstance({ project, from }: { project: string; from: string }) {
  const { data: source } = useSuspenseQuery(cloneSource(project, from))
  return <CreateInstance project={project} source={source} />
}
