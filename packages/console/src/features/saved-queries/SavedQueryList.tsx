import { filterNoun } from '@gantry/api/metrics/filter-noun.rules'
import { useParams } from '@tanstack/react-router'
import ChartLine from 'lucide-react/icons/chart-line'
import { useMemo } from 'react'
import { createdColumn, nameColumn } from '#/kit/list/columns.tsx'
import { ResourceList } from '#/kit/list/ResourceList.tsx'
import { useListPage } from '#/kit/list/use-list-page.ts'
import type { Column } from '#/ui/data/column.ts'
import { sentenceCase } from '#/ui/data/format.ts'
import { EmptyCell, Truncate } from '#/ui/data/Truncate.tsx'
import { newSavedQueryLink, savedQueryLink } from './links.ts'
import { SavedQueryDocs, thresholdWords, useWhyNotSave, WatchPlate } from './parts.tsx'
import { type SavedQuery, savedQueries, type Scope } from './queries.ts'
import { useSavedQueryActions } from './use-saved-query-actions.tsx'

const columnsIn = (project: Scope): Column<SavedQuery>[] => [
  nameColumn<SavedQuery>(({ name }) => savedQueryLink(project, name)),
  {
    id: 'state',
    header: 'State',
    part: 'state',
    cell: ({ watch }) => (watch ? <WatchPlate state={watch.state} /> : <EmptyCell />),
  },
  {
    id: 'threshold',
    header: 'Threshold',
    part: 'meta',
    cell: (row) => (row.threshold ? thresholdWords(row) : <EmptyCell />),
  },
  {
    id: 'query',
    header: 'Query',
    part: 'line',
    cell: ({ query, filterOf }) => (
      <>
        {filterOf && `${sentenceCase(filterNoun(filterOf))}s: `}
        <span className="font-mono text-[0.8125rem]">
          <Truncate text={query} max={56} />
        </span>
      </>
    ),
  },
  createdColumn<SavedQuery>(),
]

/** The saved queries of a project, or of the fleet. */
export function SavedQueryList() {
  const { project } = useParams({ strict: false })
  return (
    <ResourceList
      kind="saved query"
      icon={ChartLine}
      title="Saved Queries"
      docs={<SavedQueryDocs />}
      list={useListPage(savedQueries(project))}
      columns={useMemo(() => columnsIn(project), [project])}
      actions={useSavedQueryActions(project)}
      rowEntry={({ name }) => ({ label: name, link: savedQueryLink(project, name) })}
      create={{ link: newSavedQueryLink(project), whyNot: useWhyNotSave(project) }}
      empty={{
        title: 'No saved queries',
        text: 'Save a query or a filter to share it, or to get alerts by a threshold.',
      }}
    />
  )
}
