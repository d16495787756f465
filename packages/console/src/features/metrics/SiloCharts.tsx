// @chunk apart: charts are large.
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { allProjects } from '#/features/projects/queries.ts'
import type { Capacity } from '#/features/utilization/capacities.ts'
import { ScopePicker } from './ScopePicker.tsx'
import { UtilizationCharts } from './UtilizationCharts.tsx'

/**
 * Provisioned resources of the user's silo or one of its projects. Only silos have quotas, so a project has no
 * forecast.
 */
export function SiloCharts({ capacities }: { capacities: readonly Capacity[] }) {
  const { project }: { project?: string } = useSearch({ strict: false })
  const { data: projects = [] } = useQuery(allProjects)
  const chosen = projects.find(({ id }) => id === project)
  return (
    <UtilizationCharts
      scope={{ of: 'silo', project: chosen?.id }}
      capacities={chosen ? undefined : capacities}
      picker={<ScopePicker name="project" value={project} all="All projects" choices={projects} />}
    />
  )
}
