import * as op from '@gantry/api/client/operations.gen'
import { thresholdComparisons } from '@gantry/api/metrics/metric-query.rules'
import { thresholdUnit } from '@gantry/api/metrics/threshold-words.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useWatch } from 'react-hook-form'
import { useOp } from '#/data/use-op.ts'
import { CheckboxField, NumberField, RadioField } from '#/kit/forms/choice-fields.tsx'
import { DescriptionField, NameField, TextField } from '#/kit/forms/fields.tsx'
import { CreateForm, EditForm } from '#/kit/forms/KindForms.tsx'
import { sentenceCase } from '#/ui/data/format.ts'
import { savedQueriesLink, savedQueryLink } from './links.ts'
import { useWhyNotChange, useWhyNotSave } from './parts.tsx'
import { inScope, savedQueryAt, savedQueryView } from './queries.ts'
import {
  bodyOf,
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
  const create = useOp(op.metricQueryCreate, { seeds: ({ name }) => savedQueryView(project, name) })
  return (
    <CreateForm
      kind="saved query"
      pageOf={({ name }) => savedQueryLink(project, name)}
      {...(project !== undefined && { context: `In project ${project}` })}
      initial={newValues(project)}
      save={(values, send) => create.run({ ...inScope(project), body: bodyOf(values) }, send)}
      fieldOf={refusedField}
      closeTo={savedQueriesLink(project)}
      disabled={useWhyNotSave(project)}
    >
      <QueryFields />
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

/** The fields of both forms. */
function QueryFields() {
  const isWatched = useWatch<QueryValues, 'isWatched'>({ name: 'isWatched' })
  return (
    <>
      <NameField name="name" />
      <DescriptionField name="description" />
      <TextField
        name="query"
        mono
        multiline
        hint="A query in OxQL. The threshold applies to the newest value of each timeseries."
        problem={queryProblem}
      />
      <CheckboxField name="isWatched">Watch with a threshold</CheckboxField>
      {isWatched && <ThresholdFields />}
    </>
  )
}

function ThresholdFields() {
  const query = useWatch<QueryValues, 'query'>({ name: 'query' })
  const unit = thresholdUnit(query)?.label
  return (
    <>
      <RadioField name="comparison" label="Alert when a value is" options={comparisons} />
      <NumberField
        name="value"
        label="Value"
        hint={unit ? undefined : "In the unit of the query's values"}
        {...(unit && { unit })}
        min={-Number.MAX_SAFE_INTEGER}
        max={Number.MAX_SAFE_INTEGER}
        decimals
        problem={valueProblem}
      />
      <NumberField
        name="minutes"
        label="Duration"
        unit="minutes"
        decimals
        hint="How long a timeseries must stay beyond the value"
        problem={minutesProblem}
      />
    </>
  )
}
