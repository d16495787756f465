import * as op from '@gantry/api/client/operations.gen'
import { filterNoun } from '@gantry/api/metrics/filter-noun.rules'
import { thresholdComparisons } from '@gantry/api/metrics/metric-query.rules'
import { thresholdUnit } from '@gantry/api/metrics/threshold-words.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useWatch } from 'react-hook-form'
import { useOp } from '#/data/use-op.ts'
import { CheckboxField, NumberField, RadioField } from '#/kit/forms/choice-fields.tsx'
import { DescriptionField, NameField, TextField } from '#/kit/forms/fields.tsx'
import { CreateForm, EditForm } from '#/kit/forms/KindForms.tsx'
import { sentenceCase } from '#/ui/data/format.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { savedQueriesLink, savedQueryLink } from './links.ts'
import { useWhyNotChange, useWhyNotSave } from './parts.tsx'
import { inScope, savedQueryAt, savedQueryView } from './queries.ts'
import {
  bodyOf,
  type FilterSearch,
  newBodyOf,
  newValues,
  refusedField,
  valuesOf,
  minutesProblem,
  queryProblem,
  type QueryValues,
  valueProblem,
} from './query-values.ts'

export function NewSavedQuery() {
  const { project } = useParams({ strict: false })
  const asked: FilterSearch = useSearch({ strict: false })
  const create = useOp(op.metricQueryCreate, { seeds: ({ name }) => savedQueryView(project, name) })
  return (
    <CreateForm
      kind="saved query"
      pageOf={({ name }) => savedQueryLink(project, name)}
      {...(project !== undefined && { context: `In project ${project}` })}
      initial={newValues(project, asked)}
      save={(values, send) => create.run({ ...inScope(project), body: newBodyOf(values) }, send)}
      fieldOf={refusedField}
      closeTo={savedQueriesLink(project)}
      disabled={useWhyNotSave(project)}
    >
      <QueryFields isNew={project !== undefined} />
    </CreateForm>
  )
}

export function EditSavedQuery() {
  const { project, query: name = '' } = useParams({ strict: false })
  const view = savedQueryView(project, name)
  const navigate = useNavigate()
  const { data: saved } = useSuspenseQuery(view)
  const update = useOp(op.metricQueryUpdate, {
    sees: view,
    seeds: (updated) => savedQueryView(project, updated.name),
  })
  return (
    <EditForm
      kind="saved query"
      pageOf={(updated) => savedQueryLink(project, updated.name)}
      initial={valuesOf(saved)}
      save={(values, send) => update.run({ ...savedQueryAt(project, name), body: bodyOf(values) }, send)}
      onSaved={(updated) =>
        void navigate({ ...savedQueryLink(project, updated.name), replace: true, resetScroll: false })
      }
      fieldOf={refusedField}
      closeTo={savedQueryLink(project, name)}
      disabled={useWhyNotChange(project)}
    >
      <QueryFields />
    </EditForm>
  )
}

const comparisons = thresholdComparisons.map((value) => ({ value, label: sentenceCase(value) }))

const sources = [
  { value: 'timeseries', label: 'Measurements' },
  { value: 'filter', label: 'Objects that match a filter' },
] as const
const FilterFields = lazyPart(() => import('./FilterFields.tsx'), 'FilterFields')

const useValue = <Name extends keyof QueryValues>(name: Name): QueryValues[Name] =>
  useWatch<QueryValues, Name>({ name })

/** The fields of both forms. A new query of a project can be a filter of a list instead. */
function QueryFields({ isNew = false }: { isNew?: boolean }) {
  const isWatched = useValue('isWatched')
  const isFilter = useValue('source') === 'filter'
  return (
    <>
      <NameField name="name" />
      <DescriptionField name="description" />
      {isNew && <RadioField name="source" label="Query of" options={sources} column />}
      {isFilter ? (
        <FilterFields isNew={isNew} />
      ) : (
        <TextField
          name="query"
          mono
          multiline
          hint="A query in OxQL. The threshold applies to the newest value of each timeseries."
          problem={queryProblem}
        />
      )}
      <CheckboxField name="isWatched">Watch with a threshold</CheckboxField>
      {isWatched && <ThresholdFields isFilter={isFilter} />}
    </>
  )
}

function ThresholdFields({ isFilter }: { isFilter: boolean }) {
  const query = useValue('query')
  const noun = filterNoun(useValue('filterOf'))
  const unit = isFilter ? `${noun}s` : thresholdUnit(query)?.label
  return (
    <>
      <RadioField
        name="comparison"
        label={isFilter ? 'Alert when the number is' : 'Alert when a value is'}
        options={comparisons}
      />
      <NumberField
        name="value"
        label="Value"
        hint={unit ? undefined : "In the unit of the query's values"}
        {...(unit && { unit })}
        min={isFilter ? 0 : -Number.MAX_SAFE_INTEGER}
        max={Number.MAX_SAFE_INTEGER}
        decimals={!isFilter}
        problem={valueProblem}
      />
      <NumberField
        name="minutes"
        label="Duration"
        unit="minutes"
        decimals
        hint={isFilter ? 'How long it must stay so' : 'How long a timeseries must stay beyond the value'}
        problem={minutesProblem}
      />
    </>
  )
}
