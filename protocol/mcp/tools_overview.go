package mcp

// overviewTools are the tools about the server and what it serves (M-46, M-47).
func overviewTools(*Limits) []tool {
	return []tool{
		{
			name: "health", title: "Server health",
			description: "Tells whether the server and its registries are in order, which limits are in force and how many uploads are unfinished." +
				" A degraded server goes on serving what its valid registry names.",
			result: healthResult{}, run: runHealth,
		},
		{
			name: "list_projects", title: "List projects",
			description: "Lists the registered projects with their IDs, which every other tool takes as project_id. There is no current project:" +
				" each call names its own.",
			result: listProjectsResult{}, run: runListProjects,
		},
		{
			name: "project_info", title: "Describe a project",
			description: "Describes one project, also a disabled one: its name, state and write directory, and a summary of its Git repository" +
				" when Git is enabled for it.",
			scope: describedOne, parameters: projectParameters(),
			time: ownTime, result: projectInfoResult{}, run: runProjectInfo,
		},
		{
			name: "list_grants", title: "List grants",
			description: "Lists the grants: directories outside the projects that may be read for a time. Their IDs are what the reading tools" +
				" take as grant_id.",
			result: listGrantsResult{}, run: runListGrants,
		},
	}
}
