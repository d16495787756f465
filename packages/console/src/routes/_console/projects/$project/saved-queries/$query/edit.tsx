import { createFileRoute } from '@tanstack/react-router'
import { EditSavedQuery } from '#/features/saved-queries/SavedQueryForms.tsx'

export const Route = createFileRoute('/_console/projects/$project/saved-queries/$query/edit')({
  staticData: { title: 'Edit saved query' },
  component: EditSavedQuery,
})
