import { createFileRoute } from '@tanstack/react-router'
import { texts } from '#/kit/list/use-list-page.ts'
import { NewSavedQuery } from '#/features/saved-queries/SavedQueryForms.tsx'

export const Route = createFileRoute('/_console/projects/$project/_saved-queries/saved-queries-new')({
  staticData: { title: 'New saved query' },
  validateSearch: texts('filterOf', 'filter'),
  component: NewSavedQuery,
})
