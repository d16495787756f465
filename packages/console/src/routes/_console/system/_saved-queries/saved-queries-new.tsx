import { createFileRoute } from '@tanstack/react-router'
import { NewSavedQuery } from '#/features/saved-queries/SavedQueryForms.tsx'

export const Route = createFileRoute('/_console/system/_saved-queries/saved-queries-new')({
  staticData: { title: 'New saved query' },
  component: NewSavedQuery,
})
