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
import { namedTemplate } from '#/features/templates/queries.ts'

interface Search {
  /** The instance to clone. */
  from?: string
  /** The template to begin with, by its id, or its name in the project. */
  template?: string
  /** What the form is opened for besides. */
  for?: 'template'
}

/** The router parses names that look like numbers or JSON words into other types. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const formSearch = ({ from, template, for: purpose }: Record<string, unknown>): Search => ({
  ...(from !== undefined && { from: textOf(from) }),
  ...(template !== undefined && { template: textOf(template) }),
  ...(purpose === 'template' && { for: purpose }),
})

export const Route = createFileRoute('/_console/projects/$project/instances-new')({
  validateSearch: formSearch,
  loaderDeps: ({ search: { from, template } }) => ({ from, template }),
  loader: ({ context, params: { project }, deps: { from, template } }) =>
    context.renew(
      ...(from === undefined ? [] : [cloneSource(project, from)]),
      ...(template === undefined ? [] : [namedTemplate(project, template)]),
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
  const { from, template, for: purpose } = Route.useSearch()
  const isForTemplate = purpose === 'template'
  if (from !== undefined)
    return (
      <CloneInstance
        key={`${project}/${from}/${purpose}`}
        project={project}
        from={from}
        isForTemplate={isForTemplate}
      />
    )
  if (template !== undefined)
    return <FromTemplate key={`${project}/${template}`} project={project} template={template} />
  return <CreateInstance key={project} project={project} isForTemplate={isForTemplate} />
}

interface CloneProps {
  project: string
  from: string
  isForTemplate: boolean
}

function CloneInstance({ project, from, isForTemplate }: CloneProps) {
  const { data: source } = useSuspenseQuery(cloneSource(project, from))
  return <CreateInstance project={project} source={source} isForTemplate={isForTemplate} />
}

function FromTemplate({ project, template: named }: { project: string; template: string }) {
  const { data: template } = useSuspenseQuery(namedTemplate(project, named))
  return <CreateInstance project={project} template={template} />
}
