"""Workflow runs, jobs and artifacts."""
