import { createFileRoute } from '@tanstack/react-router'
import { renewSavedQuery } from '#/features/saved-queries/loaders.ts'
import { EditSavedQuery } from '#/features/saved-queries/SavedQueryForms.tsx'

export const Route = createFileRoute('/_console/projects/$project/saved-queries/$query/edit')({
  loader: renewSavedQuery,
  staticData: { title: 'Edit saved query' },
  component: EditSavedQuery,
})
