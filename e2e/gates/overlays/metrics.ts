import { inMenu, inRow, press, walker, type Overlays } from './steps.ts'

export const metricsOverlays: Overlays = {
  'features/metrics/ChartTable.tsx': [
    ['/system/utilization?tab=metrics', 'Memory (GiB)', inMenu('Memory chart actions', 'View as table')],
  ],
  'features/metrics/MetricDialogs.tsx': [
    [`${walker}/metrics/cpu`, 'OxQL query', inMenu('Running chart actions', 'View OxQL query')],
    [`${walker}/metrics/cpu`, 'About this metric', inMenu('Running chart actions', 'About this metric')],
  ],
  'features/metrics/explorer/Queries.tsx': [['/system/metrics', 'Queries', press('Queries')]],
  'features/metrics/explorer/SaveQuery.tsx': [['/system/metrics', 'Save query', press('Save query')]],
  'features/saved-queries/SavedQueryForms.tsx': [
    ['/projects/:project/saved-queries-new', 'Create saved query'],
    ['/projects/:project/saved-queries/walkers-cpu/edit', 'Edit saved query'],
  ],
  'features/saved-queries/use-saved-query-actions.tsx': [
    ['/projects/:project/saved-queries', 'Confirm delete saved query', inRow('walkers-cpu', 'Delete')],
  ],
  'features/metrics/RangeControls.tsx': [
    [
      '/system/utilization?tab=metrics',
      'Date range',
      (page) => page.getByRole('button', { name: /^Choose a date range/ }).click(),
    ],
  ],
}
