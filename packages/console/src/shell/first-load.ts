/*
 * What nearly every page shows. Named here it travels with the frame: in a file of its own it would be fetched only when
 * the page that needs it has arrived, and compress badly.
 */
import '../features/common/columns.tsx'
import '../features/common/CreatableTable.tsx'
import '../features/common/DocsPopover.tsx'
import '../features/common/ListPage.tsx'
import '../features/common/project-permission.ts'
import '../features/common/RefreshData.tsx'
import '../features/common/ResourceTable.tsx'
import '../features/common/use-list-page.ts'
