import { thresholdComparisons, thresholdUnit } from '@gantry/api/metric-query.rules'
import { useWatch } from 'react-hook-form'
import { CheckboxField, NumberField, RadioField } from '#/features/common/forms/choice-fields.tsx'
import { DescriptionField, NameField, TextField } from '#/features/common/forms/fields.tsx'
import { sentenceCase } from '#/ui/format.ts'
import { minutesProblem, queryProblem, type QueryValues, valueProblem } from './query-values.ts'

const comparisons = thresholdComparisons.map((value) => ({ value, label: sentenceCase(value) }))

/** The fields of both forms. */
export function QueryFields() {
  const isWatched = useWatch<QueryValues, 'isWatched'>({ name: 'isWatched' })
  return (
    <>
      <NameField name="name" />
      <DescriptionField name="description" />
      <TextField
        name="query"
        mono
        multiline
        hint="A query in OxQL. A threshold is compared with the newest value of each timeseries."
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
        problem={valueProblem}
      />
      <NumberField
        name="minutes"
        label="Duration"
        unit="minutes"
        hint="How long a timeseries must stay beyond the value"
        problem={minutesProblem}
      />
    </>
  )
}
